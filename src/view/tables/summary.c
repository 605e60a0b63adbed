/* SPDX-License-Identifier: MIT */
/* The summary: totals per kernel, copy and fill, and per function of calls. */
#include "view/tables/summary.h"

#include "view/tables/rowblock.h"

static struct activities *work_of(struct totals *totals)
{
	return &totals->activities;
}

static struct activities *calls_of(struct totals *totals)
{
	return &totals->call_stats.functions;
}

/* The blocks of the summary; their headings are above the first one. */
static const struct block_kind {
	const char *type;
	enum table table;
	struct activities *(*rows)(struct totals *totals);
} kinds[] = {
	{.type = "GPU activities", .table = TABLE_SUMMARY, .rows = work_of},
	{.type = "API calls", .table = TABLE_API_SUMMARY, .rows = calls_of},
};

enum { BLOCKS = sizeof(kinds) / sizeof(kinds[0]) };

void summary_put(struct tables_job *job)
{
	struct rowblock blocks[BLOCKS] = {0};

	for (int i = 0; i < BLOCKS; i++) {
		if (!tables_want(job, 1u << kinds[i].table))
			continue;
		blocks[i].type = kinds[i].type;
		blocks[i].rows = activities_sorted(kinds[i].rows(&job->totals), &blocks[i].count);
	}
	rowblock_put(job, blocks, BLOCKS);
}

/* SPDX-License-Identifier: MIT */
#include "view/totals/call_stats.h"
#include "model/api.h"
#include "model/totals_row.h"

#include <stdlib.h>

/* Never 0, since the code of a failure is not 0. */
static uint64_t key_of(const struct call *call)
{
	return (uint64_t)call->name << 32 | (uint32_t)call->result;
}

static struct failure *find(struct call_stats *called, const struct call *call)
{
	struct failure *failure = map_get(&called->failures, key_of(call));

	if (failure)
		return failure;
	failure = calloc(1, sizeof(*failure));
	if (!failure)
		return NULL;
	*failure = (struct failure){.name = call->name, .code = call->result};
	strbuf_append(&called->list, &failure, sizeof(failure));
	if (called->list.failed) {
		free(failure);
		return NULL;
	}
	/* it is in the list, which frees it */
	return map_set(&called->failures, key_of(call), failure) ? NULL : failure;
}

static int add_failures(struct call_stats *called, const struct call *call, uint64_t count)
{
	struct failure *failure = find(called, call);

	if (!failure)
		return -1;
	failure->count = amount_add(failure->count, count);
	called->failed = amount_add(called->failed, count);
	return 0;
}

int call_stats_add(struct call_stats *called, const struct call *call)
{
	uint64_t duration = amount_call_duration(call);

	if (!called->count || call->enter < called->first)
		called->first = call->enter;
	if (call->enter + duration > called->last)
		called->last = call->enter + duration;
	called->count++;
	called->total = amount_add(called->total, duration);
	if (!activities_add_call(&called->functions, call))
		return -1;
	return api_is_failure(call->api, call->result) ? add_failures(called, call, 1) : 0;
}

static int add_failure_row(struct call_stats *called, const struct totals_row *row)
{
	const struct call like = {.name = row->name, .result = row->code, .api = row->api};

	return api_is_failure(row->api, row->code) ? add_failures(called, &like, row->count) : 0;
}

int call_stats_add_row(struct call_stats *called, const struct catalog *catalog,
		       const struct totals_row *row)
{
	if (totals_row_kind(row) == TOTALS_FAILURE)
		return add_failure_row(called, row);
	if (!row->count)
		return 0;
	if (!called->count || row->first < called->first)
		called->first = row->first;
	if (row->last > called->last)
		called->last = row->last;
	called->count = amount_add(called->count, row->count);
	called->total = amount_add(called->total, row->total);
	return activities_add_row(&called->functions, catalog, row);
}

const struct failure *call_stats_worst(const struct call_stats *called)
{
	struct failure *const *list = (const void *)called->list.data;
	const struct failure *worst = NULL;

	for (size_t i = 0; i < called->list.length / sizeof(struct failure *); i++)
		if (!worst || list[i]->count > worst->count)
			worst = list[i];
	return worst;
}

void call_stats_free(struct call_stats *called)
{
	struct failure **list = (void *)called->list.data;

	for (size_t i = 0; i < called->list.length / sizeof(struct failure *); i++)
		free(list[i]);
	strbuf_free(&called->list);
	map_free(&called->failures);
	activities_free(&called->functions);
}

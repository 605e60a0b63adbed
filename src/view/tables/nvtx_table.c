/* SPDX-License-Identifier: MIT */
/* NVTX's ranges after the summary, in nvprof's format: a block of rows per range. */
#include "view/tables/nvtx_table.h"

#include "model/api.h"
#include "view/tables/rowblock.h"

static const struct {
	const char *type;
	const char *none;
	unsigned tables; /* any of these tables selects it */
} kinds[RANGE_ROWS] = {
	[RANGE_SELF] = {.type = "Range", .tables = 1u << TABLE_SUMMARY | 1u << TABLE_API_SUMMARY},
	[RANGE_WORK] = {.type = "GPU activities",
			.none = "No kernels were profiled in this range.",
			.tables = 1u << TABLE_SUMMARY},
	[RANGE_CALLS] = {.type = "API calls",
			 .none = "No API activities were profiled in this range.",
			 .tables = 1u << TABLE_API_SUMMARY},
};

/* Activities, group by group. */
struct rows {
	struct activity *const *list;
	size_t count;
};

static size_t first_of(const struct rows *rows, uint32_t group)
{
	size_t low = 0, high = rows->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows->list[middle]->group < group)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void put_name(struct tables_job *job, uint32_t name)
{
	const struct record like = {.frame.kind = FRAME_CALL, .name = name};

	label_name(&job->text, API_ASSUMED, &like, &job->shown);
}

/* Files have no thread names. Programs search for exactly these lines. */
static void put_heading(struct tables_job *job, const struct shown_range *range,
			const struct shown_range *last)
{
	const char *prefix = tables_prefix(job);
	bool is_new = !last || last->label.thread != range->label.thread;

	if (is_new)
		strbuf_printf(&job->text, "%s  Thread \"<unnamed>\" (id = %u)\n", prefix,
			      range->label.thread);
	if (is_new || last->label.domain != range->label.domain) {
		strbuf_printf(&job->text, "%s    Domain \"", prefix);
		if (range->label.domain)
			put_name(job, range->label.domain);
		else
			strbuf_string(&job->text, "<unnamed>");
		strbuf_string(&job->text, "\"\n");
	}
	strbuf_printf(&job->text, "%s      Range \"", prefix);
	put_name(job, range->label.name);
	strbuf_string(&job->text, "\"\n");
}

/* In CSV only this type has a colon: programs search for "Range:". */
static const char *type_of(const struct tables_job *job, int kind)
{
	return kind == RANGE_SELF && job->options->csv ? "Range:" : kinds[kind].type;
}

static void put_rows(struct tables_job *job, const struct rows *rows, uint32_t group)
{
	struct rowblock blocks[RANGE_ROWS];
	size_t count = 0;

	for (int i = 0; i < RANGE_ROWS; i++) {
		size_t first = first_of(&rows[i], group);

		if (!tables_want(job, kinds[i].tables))
			continue;
		blocks[count++] = (struct rowblock){
			.type = type_of(job, i),
			.none = kinds[i].none,
			.rows = rows[i].list + first,
			.count = first_of(&rows[i], group + 1) - first,
		};
	}
	rowblock_put(job, blocks, count);
	strbuf_char(&job->text, '\n');
}

void nvtx_table_put(struct tables_job *job)
{
	const struct shown_range *ranges = (const void *)job->shown_ranges.data;
	size_t count = job->shown_ranges.length / sizeof(*ranges);
	struct rows rows[RANGE_ROWS];

	if (!count)
		return;
	for (int i = 0; i < RANGE_ROWS; i++)
		rows[i].list = activities_sorted(&job->in_ranges[i], &rows[i].count);
	strbuf_printf(&job->text, "\n%sNVTX result:\n", tables_prefix(job));
	for (size_t i = 0; i < count; i++) {
		put_heading(job, &ranges[i], i ? &ranges[i - 1] : NULL);
		put_rows(job, rows, ranges[i].self->group);
	}
}

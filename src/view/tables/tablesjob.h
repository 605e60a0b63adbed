/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_TABLESJOB_H
#define VIEW_TABLES_TABLESJOB_H

#include "view/format/label.h"
#include "view/format/quantity.h"
#include "view/tables/tables.h"
#include "view/totals/ranges.h"
#include "view/totals/totals.h"

/* What has rows for a range of NVTX's: all that have its label, and what is in any of them. */
enum range_rows { RANGE_SELF, RANGE_WORK, RANGE_CALLS, RANGE_ROWS };

/* What the tables are made of; for the files that write one each. */
struct tables_job {
	const struct tables_options *options;
	const struct catalog *catalog;
	struct totals survey;
	struct gpu_trace *trace; /* the GPU trace's rows; NULL: it is not wanted */
	struct api_trace *calls; /* the API trace's; NULL: it is not wanted */
	struct ranges ranges; /* if a summary is wanted */
	struct activities in_ranges[RANGE_ROWS]; /* their groups are labels */
	struct range_sums *range_sums; /* of each thread that has ranges, or NULL */
	struct strbuf shown_ranges; /* struct shown_range, as they stand in the table */
	uint64_t first; /* start of a row of either trace, UINT64_MAX: there is none */
	struct names *shapes;
	struct label shown;
	struct strbuf text;
	FILE *to;
};

struct shown_range {
	struct range_label label;
	const struct activity *self; /* of in_ranges[RANGE_SELF] */
};

/* "==PID== " or "======== ". */
const char *tables_prefix(const struct tables_job *job);

/* The unit of all times, or QUANTITY_AUTO. */
int tables_time_unit(const struct tables_job *job);

/* What is in `text` goes to the file, if it is more than `least` bytes. */
void tables_flush(struct tables_job *job, size_t least);

/* The columns that are left for a name behind `length` bytes of a line; 0: any number. */
size_t tables_room(const struct tables_job *job, size_t length);

/* Whether any record has times: a row of the GPU trace or the summary. */
bool tables_has_rows(const struct tables_job *job);

/* Whether any of these tables (1 << enum table) is wanted. */
bool tables_want(const struct tables_job *job, unsigned tables);

/* Traces have a row that starts then; behind all rows, where their times are counted from. */
void tables_note_start(struct tables_job *job, uint64_t start);
uint64_t tables_origin(const struct tables_job *job);

#endif

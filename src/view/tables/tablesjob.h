/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_TABLESJOB_H
#define VIEW_TABLES_TABLESJOB_H

#include "view/format/label.h"
#include "view/format/printer.h"
#include "view/format/quantity.h"
#include "view/tables/tables.h"
#include "view/totals/ranges.h"
#include "view/totals/totals.h"

/* The rows of an NVTX range: the totals of all ranges with its label, of the work and of the calls
 * in them. */
enum range_rows { RANGE_SELF, RANGE_WORK, RANGE_CALLS, RANGE_ROWS };

/* The data for all tables, used by the source files of the tables. */
struct tables_job {
	const struct tables_options *options;
	const struct catalog *catalog;
	struct totals totals;
	struct gpu_trace *trace; /* rows of the GPU trace; NULL: not requested */
	struct api_trace *calls; /* rows of the API trace; NULL: not requested */
	struct ranges ranges; /* only for a summary */
	struct activities in_ranges[RANGE_ROWS]; /* their groups are labels */
	struct range_sums *range_sums; /* of each thread that has ranges, or NULL */
	struct spill_queue *range_contents; /* calls and records that may be in ranges, or NULL */
	struct strbuf range_error; /* why range_contents is incomplete */
	struct strbuf shown_ranges; /* struct shown_range, in the order of the table */
	struct tables_job *range_job; /* its ranges are printed; NULL: those of this job */
	struct strbuf range_problem;  /* why ranges are missing, or empty */
	uint64_t first; /* start of the first row of either trace, UINT64_MAX: none */
	struct names *shapes;
	struct label shown;
	struct strbuf text;
	struct printer_page page; /* of `text` */
	FILE *to;
	int error; /* errno of a failed write to it, or 0 */
};

struct shown_range {
	struct range_label label;
	const struct activity *self; /* of in_ranges[RANGE_SELF] */
};

/* "==PID== " or "======== ". */
const char *tables_prefix(const struct tables_job *job);

/* Sets job->page. */
void tables_set_page(struct tables_job *job);

/* Writes `text` to the file if it has more than `least` bytes. */
void tables_flush(struct tables_job *job, size_t least);

/* Returns true if any record has times: then the GPU trace or the summary has rows. */
bool tables_has_rows(const struct tables_job *job);

/* Returns true if any of these tables (1 << enum table) is requested. */
bool tables_want(const struct tables_job *job, unsigned tables);

/* tables_note_start: a trace has a row with this start. tables_origin: after all rows, returns the
 * time from which starts count. */
void tables_note_start(struct tables_job *job, uint64_t start);
uint64_t tables_origin(const struct tables_job *job);

#endif

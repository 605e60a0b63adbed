/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_RANGE_TOTALS_H
#define VIEW_TABLES_RANGE_TOTALS_H

#include "view/tables/tablesjob.h"

/*
 * The totals of NVTX's ranges in job->ranges, and of the calls and records in them. These are added
 * in any order, before and after the ranges. Memory for any number of them: that of
 * view/stream/spill_queue.h, with 40 bytes of a temporary file for each.
 */
void range_totals_open(struct tables_job *job);
void range_totals_close(struct tables_job *job);

/* `record` is one of the selected ones. Without memory or space for the file, range_totals_end
 * fails if there are ranges. */
void range_totals_add_call(struct tables_job *job, const struct call *call);
void range_totals_add_record(struct tables_job *job, const struct record *record);

/* To be called after the last call and record. Returns 0, or -1 with one sentence in `error`. */
int range_totals_end(struct tables_job *job, struct strbuf *error);

#endif

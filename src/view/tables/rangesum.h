/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_RANGESUM_H
#define VIEW_TABLES_RANGESUM_H

#include "view/tables/tablesjob.h"

/*
 * The totals of NVTX's ranges in job->ranges, and of the calls and records in them. These are added
 * in any order, before and after the ranges. Memory for any number of them: that of
 * view/stream/spill_queue.h, with 40 bytes of a temporary file for each.
 */
void rangesum_open(struct tables_job *job);
void rangesum_close(struct tables_job *job);

/* `record` is one of the selected ones. Without memory or space for the file, rangesum_end fails if
 * there are ranges. */
void rangesum_add_call(struct tables_job *job, const struct call *call);
void rangesum_add_record(struct tables_job *job, const struct record *record);

/* After all of them. Returns 0, or -1 with one sentence in `error`. */
int rangesum_end(struct tables_job *job, struct strbuf *error);

#endif

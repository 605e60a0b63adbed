/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_GPUTRACE_H
#define VIEW_TABLES_GPUTRACE_H

#include "view/tables/tablesjob.h"

/* The rows of the GPU trace, in the order of their starts, in the memory that
 * view/stream/external_sort.h takes for any number of records. */

/* job->trace: 0, or -1 without memory. */
int gputrace_open(struct tables_job *job);
void gputrace_close(struct tables_job *job);

/* Each 0, or -1 with one sentence in `error`. `number` is what the record is known by. */
int gputrace_add(struct tables_job *job, const struct record *record, uint64_t number,
		 struct strbuf *error);
int gputrace_put(struct tables_job *job, struct strbuf *error);

#endif

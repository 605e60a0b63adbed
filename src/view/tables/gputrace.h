/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_GPUTRACE_H
#define VIEW_TABLES_GPUTRACE_H

#include "view/tables/tablesjob.h"

/* The rows of the GPU trace, in the order of their starts. The memory for any number of records is
 * that of view/stream/external_sort.h. */

/* Creates job->trace. Returns 0, or -1 without memory. */
int gputrace_open(struct tables_job *job);
void gputrace_close(struct tables_job *job);

/* Each returns 0, or -1 with one sentence in `error`. `number` identifies the record.
 * gputrace_put gives the stream messages about files without functions. */
int gputrace_add(struct tables_job *job, const struct record *record, uint64_t number,
		 struct strbuf *error);
int gputrace_put(struct tables_job *job, struct stream *stream, struct strbuf *error);

#endif

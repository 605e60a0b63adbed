/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_APITRACE_H
#define VIEW_TABLES_APITRACE_H

#include "view/tables/tablesjob.h"

/*
 * The rows of the API trace, in the order of their starts, in the memory that
 * view/stream/ordered.h takes for any number of calls.
 */

/* job->calls: 0, or -1 without memory. */
int apitrace_open(struct tables_job *job);
void apitrace_close(struct tables_job *job);

/* Calls, and all records, since any may be what a call made; in any order. A call that made none is
 * known by `number`, or, if that is 0, gets one. 0, or -1 with one sentence in `error`. */
int apitrace_add(struct tables_job *job, const struct call *call, uint64_t number,
		 struct strbuf *error);
int apitrace_add_record(struct tables_job *job, const struct record *record, uint64_t number,
			struct strbuf *error);

/* `records` is how many the stream has. The same. */
int apitrace_put(struct tables_job *job, uint64_t records, struct strbuf *error);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_APITRACE_H
#define VIEW_TABLES_APITRACE_H

#include "view/tables/tablesjob.h"

/*
 * The rows of the API trace, in the order of their starts. The memory for any number of calls is
 * that of view/stream/ordered.h.
 */

/* Creates job->calls. Returns 0, or -1 without memory. */
int apitrace_open(struct tables_job *job);
void apitrace_close(struct tables_job *job);

/* Adds calls, and all records, since any may be of a call, in any order. A call without records has
 * `number`; if that is 0, it gets one. Returns 0, or -1 with one sentence in `error`. */
int apitrace_add(struct tables_job *job, const struct call *call, uint64_t number,
		 struct strbuf *error);
int apitrace_add_record(struct tables_job *job, const struct record *record, uint64_t number,
			struct strbuf *error);

/* `records` is their number in the stream. Return values as above. */
int apitrace_put(struct tables_job *job, uint64_t records, struct strbuf *error);

#endif

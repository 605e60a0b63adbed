/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_APITRACE_H
#define VIEW_TABLES_APITRACE_H

#include "view/tables/tablesjob.h"

/* Calls, and all records, since any may be what a call made; in any order. A call that made none is
 * known by `number`, or, if that is 0, gets one. -1 when memory ran out. */
int apitrace_add(struct tables_job *job, const struct call *call, uint64_t number);
int apitrace_add_record(struct tables_job *job, const struct record *record, uint64_t number);

/* `records` is how many the stream has. */
void apitrace_put(struct tables_job *job, uint64_t records);

#endif

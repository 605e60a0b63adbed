/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_GPUTRACE_H
#define VIEW_TABLES_GPUTRACE_H

#include "view/tables/tablesjob.h"

/* -1 when memory ran out. `number` is what the record is known by. */
int gputrace_add(struct tables_job *job, const struct record *record, uint64_t number);
void gputrace_put(struct tables_job *job);

#endif

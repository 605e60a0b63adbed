/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_REMARKS_H
#define VIEW_TABLES_REMARKS_H

#include "view/tables/tablesjob.h"

/* The first lines of a program that has just ended. */
void remarks_put_command(struct tables_job *job);

/* Lines before all tables, and behind the summary. */
void remarks_put_warnings(struct tables_job *job, const struct stream *stream);
void remarks_put_records(struct tables_job *job, const struct stream *stream);

#endif

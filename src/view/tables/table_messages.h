/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_TABLE_MESSAGES_H
#define VIEW_TABLES_TABLE_MESSAGES_H

#include "view/tables/tablesjob.h"

/* The first lines for a program that has just ended. */
void table_messages_put_command(struct tables_job *job);

/* The rank of the process in its job, or nothing. */
void table_messages_put_rank(struct tables_job *job);

/* Lines before all tables, and after the summary. */
void table_messages_put_warnings(struct tables_job *job, const struct stream *stream);
void table_messages_put_records(struct tables_job *job, const struct stream *stream);

/* The notes, or the reason why there are none. */
void table_messages_put_notes(struct tables_job *job, const struct stream *stream);

#endif

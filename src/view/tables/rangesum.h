/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_RANGESUM_H
#define VIEW_TABLES_RANGESUM_H

#include "view/tables/tablesjob.h"

/*
 * What the ranges that job->ranges has add up to, and what is in them, of the stream's file, which
 * is read again if there are any. 0; -1 if that could not be, with one sentence in `error`, and
 * none of them is shown; -2 when memory ran out, the same.
 */
void rangesum_open(struct tables_job *job);
int rangesum_read(struct tables_job *job, const struct stream *stream, struct strbuf *error);
void rangesum_close(struct tables_job *job);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_RANGESUM_H
#define VIEW_TABLES_RANGESUM_H

#include "view/tables/tablesjob.h"

/*
 * Computes the totals of the ranges in job->ranges and of their contents. The stream's file is read
 * again if there are any. Returns 0; -1 if the file cannot be read, with one sentence in `error`;
 * -2 without memory. After an error no range is shown.
 */
void rangesum_open(struct tables_job *job);
int rangesum_read(struct tables_job *job, const struct stream *stream, struct strbuf *error);
void rangesum_close(struct tables_job *job);

#endif

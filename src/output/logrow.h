/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_LOGROW_H
#define OUTPUT_LOGROW_H

#include "output/logreader.h"

/* One row of a log, for the log reader; what stands around the rows is logreader.c's. */

/* key=[ at the start of `line`: the length of the key, or 0. */
size_t logrow_key(struct log_text line);

/* Reads `line` into the reader's fields: 1, or -1 with the reader's `error`. */
int logrow_read(struct logreader *reader, struct log_text line);

/* Notes `error`; -1. */
int logrow_fail(struct logreader *reader, const char *error);

/* -1, with the reader's `error`, if memory ran out for `buffer` since the last look at it. */
int logrow_check(struct logreader *reader, struct strbuf *buffer);

#endif

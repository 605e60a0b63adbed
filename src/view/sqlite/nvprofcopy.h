/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_NVPROFCOPY_H
#define VIEW_SQLITE_NVPROFCOPY_H

#include "view/sqlite/libsqlite.h"
#include "view/sqlite/schema.h"
#include "view/stream/stream.h"

/*
 * Copies a database of nvprof's form: all rows of its tables unchanged, also those that are not
 * records or events. If the file is damaged, the rest of the table is missing, and the stream has
 * the message. Data outside the tables of the form is listed by stream_left_out. Returns 0, or -1
 * with one sentence. `path` must be an empty file.
 */
int nvprofcopy(const char *path, struct stream *stream, struct strbuf *error);

/* nvprofcopy_rest.c: lists the data of database `from` outside nvprof's tables in the stream. */
void nvprofcopy_leave_out(sqlite3 *from, struct stream *stream);

enum { NVPROFCOPY_VERSION = 11 /* stored in the file, see doc/FORMAT */ };

#endif

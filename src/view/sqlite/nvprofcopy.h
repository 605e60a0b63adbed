/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_NVPROFCOPY_H
#define VIEW_SQLITE_NVPROFCOPY_H

#include <sqlite3.h>

#include "view/sqlite/schema.h"
#include "view/stream/stream.h"

/*
 * A database of nvprof's form made of another one: all rows of its tables as they are, also those
 * that are no records or events. Where the file is damaged, the rest of the table is missing, and
 * the stream has the sentence. What is in no table of the form is told by stream_left_out. 0, or -1
 * with one sentence. `path` is there and empty.
 */
int nvprofcopy(const char *path, struct stream *stream, struct strbuf *error);

/* nvprofcopy_rest.c: has the stream tell what of the database `from` is in no table of nvprof's. */
void nvprofcopy_leave_out(sqlite3 *from, struct stream *stream);

enum { NVPROFCOPY_VERSION = 11 /* which the file says, as doc/FORMAT has it */ };

#endif

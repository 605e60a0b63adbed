/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_DATABASE_H
#define VIEW_SQLITE_DATABASE_H

#include <sqlite3.h>

#include "base/strbuf.h"

/* SQLite's calls, with its errors as one sentence. */

/* Appends what SQLite says of the last call, and returns -1. */
int database_refused(sqlite3 *database, struct strbuf *error);

/* How much of SQLite's work a database that is read may still cost. */
struct database_work {
	uint64_t left;
};

/* Opens the file `path`, which is there, to be filled or, with `work`, to be read: then nothing in
 * it is run, and it is not trusted. Pages that are in a table many times are no way to keep the
 * reader busy for ever: once all work that a file of its size can need is done, calls fail. `work`
 * is the caller's, until the database is closed. NULL on error, with one sentence. */
sqlite3 *database_open(const char *path, struct database_work *work, struct strbuf *error);

/* For a new file that no other process reads until it is renamed: no journal, no locks. 0, or -1
 * with one sentence. */
int database_own(sqlite3 *database, struct strbuf *error);

/* The names of a table's columns, each with a NUL behind it; none where there is no such table.
 * Then whether this one is among them. */
void database_columns(sqlite3 *database, const char *table, struct strbuf *columns);
bool database_lists(const struct strbuf *columns, const char *name, size_t length);

/* Whether there is such a table, and such a column in it. */
bool database_has(sqlite3 *database, const char *table, const char *column);

/* Each 0, or -1 with one sentence. */
int database_run(sqlite3 *database, const char *sql, struct strbuf *error);
int database_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement,
		     struct strbuf *error);

#endif

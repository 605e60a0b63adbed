/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_DATABASE_H
#define VIEW_SQLITE_DATABASE_H

#include "base/strbuf.h"
#include "view/sqlite/libsqlite.h"

/* SQLite calls with errors as one sentence. */

/* Appends a sentence with the reason of the last call's failure, and with the name of a file that
 * is written; returns -1. */
int database_refused(sqlite3 *database, struct strbuf *error);

/* The remaining work of SQLite for a database that is read. */
struct database_work {
	uint64_t left;
};

/* Opens the existing file `path`: for writing or, with `work`, for reading. A file that is read is
 * not trusted: nothing in it is executed, and calls fail after the work that a file of its size can
 * need, since a damaged table may repeat its pages without end. The caller owns `work`, which must
 * stay valid until the database is closed. Returns NULL with one sentence on error. */
sqlite3 *database_open(const char *path, struct database_work *work, struct strbuf *error);

/* For a new file that no other process reads before it is renamed: no journal, no locks. Returns 0,
 * or -1 with one sentence. */
int database_own(sqlite3 *database, struct strbuf *error);

/* database_columns gets the names of a table's columns, each followed by NUL; none if there is no
 * such table. database_lists returns true if `name` is one of them. */
void database_columns(sqlite3 *database, const char *table, struct strbuf *columns);
bool database_lists(const struct strbuf *columns, const char *name, size_t length);

/* Returns true if the table exists and has the column. */
bool database_has(sqlite3 *database, const char *table, const char *column);

/* Return 0, or -1 with one sentence. */
int database_run(sqlite3 *database, const char *sql, struct strbuf *error);
int database_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement,
		     struct strbuf *error);

#endif

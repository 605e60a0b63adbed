/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_LIBSQLITE_H
#define VIEW_SQLITE_LIBSQLITE_H

#include <sqlite3.h>

#include "base/strbuf.h"

/* The functions of SQLite, by their names without "sqlite3_". Set by libsqlite_open. */
struct libsqlite_functions {
#define FUNCTION(name) __typeof__(&sqlite3_##name) name;
#include "view/sqlite/libsqlite.def"
#undef FUNCTION
};

extern struct libsqlite_functions sqlite;

/* Opens the library unless it is open. Returns 0, or -1 with one clause. */
int libsqlite_open(struct strbuf *error);

#endif

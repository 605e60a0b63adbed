/* SPDX-License-Identifier: MIT */
#include "view/sqlite/libsqlite.h"

#include "view/optional_library.h"

enum { OLDEST = 3031000 /* SQLITE_DBCONFIG_TRUSTED_SCHEMA, for untrusted databases */ };

struct libsqlite_functions sqlite;

/* clang-format off */
static const struct optional_function list[] = {
#define FUNCTION(name) {"sqlite3_" #name, offsetof(struct libsqlite_functions, name)},
#include "view/sqlite/libsqlite.def"
#undef FUNCTION
	{NULL, 0},
};
/* clang-format on */

static struct optional_library library = {
	.title = "SQLite",
	.soname = "libsqlite3.so.0",
	.package = "libsqlite3-0",
	.list = list,
	.functions = &sqlite,
};

int libsqlite_open(struct strbuf *error)
{
	if (optional_library_open(&library, error))
		return -1;
	if (sqlite.libversion_number() >= OLDEST)
		return 0;
	strbuf_printf(error, "SQLite %s (%s) is too old: 3.31 or a later version is needed",
		      sqlite.libversion(), library.soname);
	return -1;
}

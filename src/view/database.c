/* SPDX-License-Identifier: MIT */
#include "view/database.h"

#include <stdlib.h>
#include <string.h>

#include "output/escape.h"

/* What the database of somebody else may ask of us. */
static const struct {
	int limit;
	int value;
} limits[] = {
	{SQLITE_LIMIT_LENGTH, 1 << 24},
	{SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
	{SQLITE_LIMIT_EXPR_DEPTH, 20},
	{SQLITE_LIMIT_COLUMN, 200},
};

/* SQLite's sentences have names out of the database in them. */
int database_refused(sqlite3 *database, struct strbuf *error)
{
	const char *why = sqlite3_errmsg(database);
	size_t length = strlen(why);
	char *escaped = malloc(ESCAPE_SIZE(length) + 1);
	char *end = escaped ? escape_name(escaped, why, length, ESCAPE_TEXT) : NULL;

	strbuf_printf(error, "cannot %s the database: %.*s",
		      sqlite3_db_readonly(database, "main") == 1 ? "read" : "write",
		      (int)(end - escaped), escaped ? escaped : "");
	free(escaped);
	return -1;
}

/* Views and functions in it could take for ever; a damaged page is to be an error at once. */
static int distrust(sqlite3 *database, struct strbuf *error)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		sqlite3_limit(database, limits[i].limit, limits[i].value);
	sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	return database_run(database, "PRAGMA cell_size_check = ON", error);
}

sqlite3 *database_open(const char *path, bool hostile, struct strbuf *error)
{
	int flags = SQLITE_OPEN_NOMUTEX /* of one thread */;
	sqlite3 *database = NULL;

	flags |= hostile ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	if (sqlite3_open_v2(path, &database, flags, NULL) == SQLITE_OK) {
		if (!hostile || !distrust(database, error))
			return database;
	} else {
		database_refused(database, error);
	}
	sqlite3_close(database);
	return NULL;
}

int database_run(sqlite3 *database, const char *sql, struct strbuf *error)
{
	if (sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	return database_refused(database, error);
}

int database_prepare(sqlite3 *database, const char *sql, sqlite3_stmt **statement,
		     struct strbuf *error)
{
	if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) ==
	    SQLITE_OK)
		return 0;
	return database_refused(database, error);
}

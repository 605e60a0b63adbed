/* SPDX-License-Identifier: MIT */
/* Lists the tables and columns of a database that nvprof's form lacks. */
#include "view/sqlite/nvprofcopy.h"

#include <stdio.h>
#include <string.h>

#include "output/escape.h"
#include "view/sqlite/database.h"
#include "view/sqlite/libsqlite.h"

enum { MOST_NAMES = 8 /* names in the list */, MOST_BYTES = 100 /* per name */ };

struct skipped_tables {
	sqlite3 *from;
	struct stream *stream;
	unsigned int names;
};

/* Adds TABLE or TABLE.COLUMN; names may have any bytes. */
static void leave_out(struct skipped_tables *rest, const char *table, const char *column)
{
	char escaped[ESCAPE_SIZE(MOST_BYTES)], words[MOST_BYTES];
	size_t length;

	if (rest->names++ >= MOST_NAMES)
		return;
	length = (size_t)snprintf(words, sizeof(words), column ? "%s.%s" : "%s", table, column);
	if (length >= sizeof(words))
		length = sizeof(words) - 1;
	*escape_name(escaped, words, length, ESCAPE_SHOWN) = '\0';
	stream_leave_out(rest->stream, escaped);
}

static bool has_column(const struct schema_table *table, const char *name)
{
	const char *at = table->columns;
	struct schema_column column;

	while (schema_column(&at, &column))
		if (strlen(name) == column.length && !memcmp(name, column.name, column.length))
			return true;
	return false;
}

/* Returns true if a table (not a view) has rows or cannot be read. */
static bool has_rows(const struct skipped_tables *rest, const char *table)
{
	char *sql = sqlite.mprintf("SELECT 1 FROM main.\"%w\" LIMIT 1", table);
	sqlite3_stmt *statement = NULL;
	bool has = true;

	if (sql && sqlite.prepare_v2(rest->from, sql, -1, &statement, NULL) == SQLITE_OK)
		has = sqlite.step(statement) != SQLITE_DONE;
	sqlite.finalize(statement);
	sqlite.free(sql);
	return has;
}

static void look_at_columns(struct skipped_tables *rest, const struct schema_table *table)
{
	sqlite3_stmt *row = NULL;

	if (sqlite.prepare_v2(rest->from, "SELECT name FROM pragma_table_xinfo(?)", -1, &row,
			      NULL) != SQLITE_OK)
		return;
	sqlite.bind_text(row, 1, table->name, -1, SQLITE_STATIC);
	while (sqlite.step(row) == SQLITE_ROW) {
		const char *name = (const char *)sqlite.column_text(row, 0);

		if (name && !has_column(table, name))
			leave_out(rest, table->name, name);
	}
	sqlite.finalize(row);
}

/* Views and virtual tables have no root page and are not executed. */
static void look_at_tables(struct skipped_tables *rest)
{
	static const char sql[] = "SELECT name, type = 'table' AND rootpage > 0 FROM sqlite_master "
				  "WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'";
	sqlite3_stmt *row = NULL;

	if (sqlite.prepare_v2(rest->from, sql, -1, &row, NULL) != SQLITE_OK)
		return;
	while (sqlite.step(row) == SQLITE_ROW) {
		const char *name = (const char *)sqlite.column_text(row, 0);
		const struct schema_table *table = name ? schema_find(nvprof_tables, name) : NULL;
		bool stored = sqlite.column_int(row, 1);

		if (!name || (stored && !has_rows(rest, name)))
			continue;
		if (!table || !stored)
			leave_out(rest, name, NULL);
		else
			look_at_columns(rest, table);
	}
	sqlite.finalize(row);
}

static void look_at_version(struct skipped_tables *rest)
{
	sqlite3_stmt *row = NULL;
	char words[64];

	if (!database_has(rest->from, "Version", "version") ||
	    sqlite.prepare_v2(rest->from, "SELECT version FROM main.Version", -1, &row, NULL) !=
		    SQLITE_OK)
		return;
	if (sqlite.step(row) == SQLITE_ROW && sqlite.column_int64(row, 0) != NVPROFCOPY_VERSION) {
		snprintf(words, sizeof(words), "Version %lld (now %d)",
			 (long long)sqlite.column_int64(row, 0), NVPROFCOPY_VERSION);
		stream_leave_out(rest->stream, words);
	}
	sqlite.finalize(row);
}

void nvprofcopy_leave_out(sqlite3 *from, struct stream *stream)
{
	struct skipped_tables rest = {.from = from, .stream = stream};
	char more[64];

	look_at_version(&rest);
	look_at_tables(&rest);
	if (rest.names <= MOST_NAMES)
		return;
	snprintf(more, sizeof(more), "and %u more", rest.names - MOST_NAMES);
	stream_leave_out(stream, more);
}

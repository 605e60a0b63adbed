/* SPDX-License-Identifier: MIT */
#include "view/sqlite/nvprofcopy.h"

#include <stdio.h>
#include <string.h>

#include "view/sqlite/database.h"
#include "view/sqlite/libsqlite.h"

struct copy {
	sqlite3 *from, *to;
	struct database_work work;
	struct stream *stream;
	const struct schema_table *table; /* the table that is being copied */
	sqlite3_stmt *rows, *insert;
	uint64_t skipped; /* rows that cannot be inserted */
};

static bool is_strings(const struct schema_table *table)
{
	return !strcmp(table->name, "StringTable");
}

/* Returns true if _id_ is the table's key in the file, so that it is unique. */
static bool has_key(sqlite3 *from, const char *table)
{
	static const char sql[] = "SELECT 1 FROM pragma_table_info(?) WHERE name = '_id_' "
				  "AND pk = 1";
	sqlite3_stmt *statement = NULL;
	bool has;

	if (sqlite.prepare_v2(from, sql, -1, &statement, NULL) != SQLITE_OK)
		return false;
	sqlite.bind_text(statement, 1, table, -1, SQLITE_STATIC);
	has = sqlite.step(statement) == SQLITE_ROW;
	sqlite.finalize(statement);
	return has;
}

/* Columns that the file's table lacks are NULL, as is an _id_ that is not a key. Returns false if
 * it has none of the columns. NOT INDEXED: rows are read in storage order. */
static bool put_statements(const struct copy *copy, struct strbuf *select, struct strbuf *insert)
{
	const char *at = copy->table->columns, *between = "";
	struct strbuf known = STRBUF_INIT;
	struct schema_column column;
	bool counted, any = false;

	database_columns(copy->from, copy->table->name, &known);
	counted =
		known.length && !is_strings(copy->table) && !has_key(copy->from, copy->table->name);
	strbuf_string(select, "SELECT ");
	strbuf_printf(insert, "INSERT OR IGNORE INTO %s VALUES (", copy->table->name);
	for (; known.length && schema_column(&at, &column); between = ", ") {
		bool has = database_lists(&known, column.name, column.length) &&
			   !(column.type == 'K' && counted);

		strbuf_printf(select, has ? "%s\"%.*s\"" : "%sNULL", between, (int)column.length,
			      column.name);
		strbuf_printf(insert, "%s?", between);
		any |= has;
	}
	strbuf_printf(select, " FROM main.%s NOT INDEXED", copy->table->name);
	strbuf_char(insert, ')');
	strbuf_free(&known);
	return any;
}

static int bind_missing(sqlite3_stmt *insert, int place, const struct schema_column *column)
{
	switch (column->type) {
	case 'B':
		return sqlite.bind_zeroblob(insert, place, (int)column->size);
	case 'R':
		return sqlite.bind_double(insert, place, 0);
	case 'I':
		return sqlite.bind_int(insert, place, 0);
	default:
		return sqlite.bind_null(insert, place);
	}
}

/* Values are copied with their type, except that a key must be an integer. */
static int bind(const struct copy *copy, int place, const struct schema_column *column)
{
	int type = sqlite.column_type(copy->rows, place - 1);

	if (type == SQLITE_NULL || (column->type == 'K' && type != SQLITE_INTEGER))
		return bind_missing(copy->insert, place, column);
	return sqlite.bind_value(copy->insert, place, sqlite.column_value(copy->rows, place - 1));
}

static int copy_row(struct copy *copy, struct strbuf *error)
{
	const char *at = copy->table->columns;
	struct schema_column column;
	int result = SQLITE_OK;

	stream_count_row(copy->stream);
	/* A text without an integer key cannot be referenced. */
	if (is_strings(copy->table) && sqlite.column_type(copy->rows, 0) != SQLITE_INTEGER) {
		copy->skipped++;
		return 0;
	}
	for (int place = 1; result == SQLITE_OK && schema_column(&at, &column); place++)
		result = bind(copy, place, &column);
	if (result == SQLITE_OK)
		sqlite.step(copy->insert);
	if (result != SQLITE_OK || sqlite.reset(copy->insert) != SQLITE_OK)
		return database_refused(copy->to, error);
	copy->skipped += !sqlite.changes(copy->to);
	return 0;
}

/* A read error ends the table, a write error the copy. */
static int copy_rows(struct copy *copy, struct strbuf *error)
{
	struct strbuf damage = STRBUF_INIT;
	int step;

	while ((step = sqlite.step(copy->rows)) == SQLITE_ROW)
		if (copy_row(copy, error))
			return -1;
	if (step != SQLITE_DONE) {
		database_refused(copy->from, &damage);
		stream_put_damage(copy->stream, &damage);
		strbuf_free(&damage);
	}
	return 0;
}

static int copy_table(struct copy *copy, const struct schema_table *table, struct strbuf *error)
{
	struct strbuf select = STRBUF_INIT, insert = STRBUF_INIT, damage = STRBUF_INIT;
	int result = 0;

	copy->table = table;
	copy->skipped = 0;
	copy->rows = copy->insert = NULL;
	if (!put_statements(copy, &select, &insert))
		goto out;
	if (database_prepare(copy->from, strbuf_text(&select), &copy->rows, &damage))
		stream_put_damage(copy->stream, &damage);
	else
		result = database_prepare(copy->to, strbuf_text(&insert), &copy->insert, error) ||
			 copy_rows(copy, error);
	sqlite.finalize(copy->rows);
	sqlite.finalize(copy->insert);
out:
	strbuf_free(&select);
	strbuf_free(&insert);
	strbuf_free(&damage);
	return result ? -1 : 0;
}

/* A file may contain a text twice, which nvprof's own table forbids: the constraint is then
 * dropped. */
static int copy_strings(struct copy *copy, const struct schema_table *table, struct strbuf *error)
{
	static const char anew[] = "DROP TABLE StringTable; CREATE TABLE StringTable("
				   "_id_ INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL)";

	if (copy_table(copy, table, error))
		return -1;
	if (!copy->skipped)
		return 0;
	return database_run(copy->to, anew, error) || copy_table(copy, table, error) ? -1 : 0;
}

static int copy_tables(struct copy *copy, struct strbuf *error)
{
	for (const struct schema_table *table = nvprof_tables; table->name; table++) {
		char words[128];

		if (!strcmp(table->name, "Version"))
			continue;
		if (is_strings(table) ? copy_strings(copy, table, error)
				      : copy_table(copy, table, error))
			return -1;
		if (!copy->skipped)
			continue;
		snprintf(words, sizeof(words), "%llu row%s of %s",
			 (unsigned long long)copy->skipped, copy->skipped == 1 ? "" : "s",
			 table->name);
		stream_leave_out(copy->stream, words);
	}
	return 0;
}

static int begin(struct copy *copy, struct strbuf *error)
{
	struct strbuf sql = STRBUF_INIT, damage = STRBUF_INIT;
	int result;

	/* All tables are read in one transaction. */
	if (database_run(copy->from, "BEGIN", &damage))
		stream_put_damage(copy->stream, &damage);
	strbuf_free(&damage);
	schema_put_tables(nvprof_tables, &sql);
	result = database_own(copy->to, error) || database_run(copy->to, "BEGIN", error) ||
		 database_run(copy->to, strbuf_text(&sql), error);
	strbuf_free(&sql);
	return result ? -1 : 0;
}

/* Row 0 of StringTable is nvprof's; readers also look up name 0. */
static int end(struct copy *copy, struct strbuf *error)
{
	struct strbuf sql = STRBUF_INIT;
	int result;

	strbuf_printf(&sql,
		      "INSERT OR IGNORE INTO StringTable VALUES (0, '-- null --');"
		      "INSERT INTO Version VALUES (%d);",
		      NVPROFCOPY_VERSION);
	if (stream_damage(copy->stream))
		strbuf_string(&sql, "UPDATE CP_PROCESS SET cutOff = 1;");
	schema_put_indexes(nvprof_tables, &sql);
	strbuf_string(&sql, "COMMIT");
	result = database_run(copy->to, strbuf_text(&sql), error);
	strbuf_free(&sql);
	return result;
}

int nvprofcopy(const char *path, struct stream *stream, struct strbuf *error)
{
	struct copy copy = {.stream = stream};
	int result = -1;

	copy.from = database_open(stream_database_path(stream), &copy.work, error);
	copy.to = copy.from ? database_open(path, NULL, error) : NULL;
	if (copy.to) {
		result = begin(&copy, error) || copy_tables(&copy, error) || end(&copy, error);
		nvprofcopy_leave_out(copy.from, stream);
	}
	sqlite.close(copy.from);
	if (sqlite.close(copy.to) != SQLITE_OK && !result)
		result = database_refused(copy.to, error);
	return result ? -1 : 0;
}

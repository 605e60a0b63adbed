/* SPDX-License-Identifier: MIT */
#include "view/sqlite/nvprofread.h"

#include "view/sqlite/libsqlite.h"

sqlite3_stmt *nvprofread_select(struct nvprofread *reader, const char *table,
				const char *const *columns, const char *where, struct strbuf *error)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *statement = NULL;
	const char *between = "SELECT ";
	struct strbuf known = STRBUF_INIT;
	bool any = false;

	database_columns(reader->database, table, &known);
	for (; known.length && *columns; columns++, between = ", ") {
		bool has = database_lists(&known, *columns, strlen(*columns));

		strbuf_printf(&sql, has ? "%s\"%s\"" : "%sNULL", between, *columns);
		any |= has;
	}
	strbuf_printf(&sql, " FROM main.%s%s", table, where);
	if (any)
		database_prepare(reader->database, strbuf_text(&sql), &statement, error);
	strbuf_free(&known);
	strbuf_free(&sql);
	return statement;
}

bool nvprofread_has_index(struct nvprofread *reader, const char *table)
{
	static const char sql[] = "SELECT 1 FROM pragma_index_list(?1) AS l, "
				  "pragma_index_info(l.name) AS i WHERE i.seqno = 0 "
				  "AND i.name = 'correlationId' AND NOT l.partial";
	sqlite3_stmt *statement = NULL;
	bool has;

	if (sqlite.prepare_v2(reader->database, sql, -1, &statement, NULL) != SQLITE_OK)
		return false;
	sqlite.bind_text(statement, 1, table, -1, SQLITE_STATIC);
	has = sqlite.step(statement) == SQLITE_ROW;
	sqlite.finalize(statement);
	return has;
}

/* Without an index SQLite sorts the rows, in a temporary file if necessary. */
int nvprofread_open(struct nvprofread *reader, struct nvprofread_cursor *cursor, const char *table,
		    const char *const *columns, struct strbuf *error)
{
	bool sorted = database_has(reader->database, table, columns[0]);

	cursor->rows = nvprofread_select(reader, table, columns,
					 sorted ? " ORDER BY correlationId" : "", error);
	return error->length ? -1 : 0;
}

int nvprofread_step(struct nvprofread *reader, struct nvprofread_cursor *cursor,
		    struct strbuf *error)
{
	int step;

	if (!cursor->rows)
		return 0;
	step = sqlite.step(cursor->rows);
	if (step == SQLITE_ROW) {
		cursor->correlation = sqlite.column_int64(cursor->rows, 0);
		return 1;
	}
	if (step != SQLITE_DONE)
		return database_refused(reader->database, error);
	sqlite.finalize(cursor->rows);
	cursor->rows = NULL;
	return 0;
}

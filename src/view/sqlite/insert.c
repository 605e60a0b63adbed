/* SPDX-License-Identifier: MIT */
#include "view/sqlite/insert.h"

#include <string.h>

#include "view/sqlite/database.h"
#include "view/sqlite/libsqlite.h"

static const struct insert_field *field_of(const struct insert_field *fields,
					   const struct schema_column *column)
{
	for (; fields->column; fields++)
		if (strlen(fields->column) == column->length &&
		    !memcmp(fields->column, column->name, column->length))
			return fields;
	return NULL;
}

static void put_constant(const struct schema_column *column, struct strbuf *sql)
{
	if (strchr("FKNT", column->type))
		strbuf_string(sql, "NULL");
	else if (column->type == 'B')
		strbuf_printf(sql, "zeroblob(%u)", column->size);
	else
		strbuf_char(sql, '0');
}

/* Returns the number of fields without a column. */
static int put_values(struct insert *insert, const struct schema_table *table,
		      const struct insert_field *fields, struct strbuf *sql)
{
	const char *at = table->columns, *between = "(";
	struct schema_column column;
	int left = 0;

	for (const struct insert_field *field = fields; field->column; field++)
		left++;
	for (; schema_column(&at, &column); between = ", ") {
		const struct insert_field *field = field_of(fields, &column);

		strbuf_string(sql, between);
		if (!field || insert->count == INSERT_PLACES) {
			put_constant(&column, sql);
			continue;
		}
		strbuf_string(sql, column.type == 'T' ? "(SELECT value FROM StringIds WHERE id = ?)"
						      : "?");
		insert->places[insert->count].value = field->value;
		insert->places[insert->count].size = column.size;
		insert->places[insert->count++].type = column.type;
		left--;
	}
	strbuf_char(sql, ')');
	return left;
}

int insert_begin(struct insert *insert, sqlite3 *database, const struct schema_table *table,
		 const struct insert_field *fields, struct strbuf *error)
{
	struct strbuf sql = STRBUF_INIT;
	int result = -1;

	*insert = (struct insert){0};
	strbuf_printf(&sql, "INSERT INTO %s VALUES ", table->name);
	if (put_values(insert, table, fields, &sql))
		strbuf_printf(error, "table %s lacks a column that has to be written", table->name);
	else
		result = database_prepare(database, strbuf_text(&sql), &insert->statement, error);
	strbuf_free(&sql);
	return result;
}

void insert_end(struct insert *insert)
{
	sqlite.finalize(insert->statement);
	insert->statement = NULL;
}

static int bind(struct insert *insert, int place, int64_t value)
{
	uint32_t size = insert->places[place].size;
	char bytes[16] = {0};
	double real;

	if (value == INSERT_UNKNOWN && strchr("FNT", insert->places[place].type))
		return sqlite.bind_null(insert->statement, place + 1);
	value = value == INSERT_UNKNOWN ? 0 : value;
	switch (insert->places[place].type) {
	case 'B':
		for (size_t i = 0; i < sizeof(value); i++)
			bytes[i] = (char)(value >> 8 * i);
		return sqlite.bind_blob(insert->statement, place + 1, bytes,
					size < sizeof(bytes) ? (int)size : (int)sizeof(bytes),
					SQLITE_TRANSIENT);
	case 'R':
		memcpy(&real, &value, sizeof(real));
		return sqlite.bind_double(insert->statement, place + 1, real);
	default:
		return sqlite.bind_int64(insert->statement, place + 1, value);
	}
}

int insert_row(struct insert *insert, const int64_t *values, struct strbuf *error)
{
	int result = SQLITE_OK;

	for (int i = 0; i < insert->count && result == SQLITE_OK; i++)
		result = bind(insert, i, values[i]);
	if (result == SQLITE_OK)
		sqlite.step(insert->statement);
	if (result == SQLITE_OK && sqlite.reset(insert->statement) == SQLITE_OK)
		return 0;
	return database_refused(sqlite.db_handle(insert->statement), error);
}

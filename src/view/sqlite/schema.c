/* SPDX-License-Identifier: MIT */
#include "view/sqlite/schema.h"

#include <string.h>

#include "base/number.h"

static const char *const types[] = {
	['B'] = "BLOB NOT NULL",
	['F'] = "REAL",
	['I'] = "INT NOT NULL",
	['K'] = "INTEGER PRIMARY KEY AUTOINCREMENT",
	['L'] = "INTEGER NOT NULL",
	['N'] = "INTEGER",
	['P'] = "INTEGER NOT NULL PRIMARY KEY",
	['R'] = "REAL NOT NULL",
	['S'] = "TEXT NOT NULL",
	['T'] = "TEXT",
	['U'] = "TEXT NOT NULL UNIQUE",
};

static void read_type(const char *at, struct schema_column *column)
{
	if (*at != ':') {
		column->type = strncmp(column->name, "_id_", column->length) ? 'I' : 'K';
		return;
	}
	column->size = (uint32_t)number_read(at + 1, NULL);
	column->type = column->size ? 'B' : at[1];
}

bool schema_column(const char **columns, struct schema_column *column)
{
	const char *at = *columns + strspn(*columns, " ");

	if (!*at)
		return false;
	*column = (struct schema_column){.name = at, .length = strcspn(at, " :")};
	read_type(at + column->length, column);
	*columns = at + strcspn(at, " ");
	return true;
}

const struct schema_table *schema_find(const struct schema_table *tables, const char *name)
{
	for (; tables->name; tables++)
		if (!strcmp(tables->name, name))
			return tables;
	return NULL;
}

static void put_table(const struct schema_table *table, struct strbuf *sql)
{
	const char *at = table->columns, *between = "";
	struct schema_column column;

	strbuf_printf(sql, "CREATE TABLE %s(", table->name);
	while (schema_column(&at, &column)) {
		strbuf_printf(sql, "%s%.*s %s", between, (int)column.length, column.name,
			      types[(unsigned char)column.type]);
		between = ", ";
	}
	strbuf_string(sql, ");\n");
}

void schema_put_tables(const struct schema_table *tables, struct strbuf *sql)
{
	for (; tables->name; tables++)
		put_table(tables, sql);
}

void schema_put_indexes(const struct schema_table *tables, struct strbuf *sql)
{
	for (; tables->name; tables++)
		if (tables->index)
			strbuf_printf(sql, "CREATE INDEX INDEX_%s ON %s(%s);\n", tables->name,
				      tables->name, tables->index);
}

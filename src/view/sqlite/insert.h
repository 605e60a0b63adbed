/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_INSERT_H
#define VIEW_SQLITE_INSERT_H

#include <sqlite3.h>

#include "base/strbuf.h"
#include "view/sqlite/schema.h"

/* A column to be written, and the index of its value. A list ends with a NULL column. */
struct insert_field {
	const char *column;
	unsigned int value; /* index in the values of a row */
};

/* Inserts rows into one table. Columns without a field are NULL or, if NOT NULL, 0 or a zeroed
 * BLOB. The value of a TEXT is a number in StringIds. */
struct insert {
	sqlite3_stmt *statement;
	struct {
		unsigned int value;
		uint32_t size; /* of a BLOB */
		char type;     /* as in struct schema_column */
	} places[32];	       /* by the number of the parameter, from 0 */
	int count;
};

/* Returns 0, or -1 with one sentence in `error`. A field without a column is an error. */
int insert_begin(struct insert *insert, sqlite3 *database, const struct schema_table *table,
		 const struct insert_field *fields, struct strbuf *error);
void insert_end(struct insert *insert);

/* Inserts a row. The values are integers, the bits of a double for REAL, or the bytes of a BLOB,
 * lowest first. Returns 0, or -1 with one sentence. */
int insert_row(struct insert *insert, const int64_t *values, struct strbuf *error);

#endif

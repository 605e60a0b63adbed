/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_INSERT_H
#define VIEW_SQLITE_INSERT_H

#include "base/strbuf.h"
#include "view/sqlite/libsqlite.h"
#include "view/sqlite/schema.h"

/* A column that is written, and the caller's number for its value. A list ends with a NULL
 * column. */
struct insert_field {
	const char *column;
	unsigned int value;
};

enum { INSERT_PLACES = 32 };

/* A value that is not known: the column gets the same as a column without a field. */
#define INSERT_UNKNOWN INT64_MIN

/* Inserts rows of one table. Columns without a field are NULL or, if that is not allowed, 0 or a
 * BLOB of zeros. The value for a TEXT column is a number: the id of the text in StringIds. */
struct insert {
	sqlite3_stmt *statement;
	struct {
		unsigned int value;
		uint32_t size; /* of a BLOB */
		char type;     /* as in struct schema_column */
	} places[INSERT_PLACES]; /* by the number of the parameter, from 0 */
	int count;
};

/* Returns 0, or -1 with one sentence in `error`. A field without a column is an error. */
int insert_begin(struct insert *insert, sqlite3 *database, const struct schema_table *table,
		 const struct insert_field *fields, struct strbuf *error);
void insert_end(struct insert *insert);

/* Inserts a row. `values` has one value per place: integers, the bits of a double for REAL, the
 * first 8 bytes of a BLOB in little-endian order (the others, up to 16, are 0). Returns 0, or -1
 * with one sentence. */
int insert_row(struct insert *insert, const int64_t *values, struct strbuf *error);

#endif

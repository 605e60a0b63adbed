/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_SCHEMA_H
#define VIEW_SQLITE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * The tables of a database form, as rows. All code that creates, fills or searches the tables uses
 * these rows, so the order of columns is defined once.
 *
 * `columns` are names separated by blanks. The default type is INT NOT NULL; others follow after a
 * colon: a number for a BLOB of that size, B for one of any size, R for REAL, S for TEXT and U for
 * a unique one, L for INTEGER and P for a primary key (none of them NULL), N for an INTEGER, T for
 * a TEXT and F for a REAL that may be NULL. _id_ is an automatic key.
 */
struct schema_table {
	const char *name;
	const char *index; /* the column of the index INDEX_<name>, or NULL */
	const char *columns;
};

/* nvprof's file as of CUDA 10, and the export of Nsight Systems 2024.5 for such work. computeprof's
 * own tables, CP_*, are in both, unless the second one has a place for the data. The last row's
 * name is NULL. */
extern const struct schema_table nvprof_tables[];
extern const struct schema_table nsys_tables[];

struct schema_column {
	const char *name;
	size_t length; /* of the name */
	char type;     /* one of these letters, I for none, K for _id_ */
	uint32_t size; /* bytes of a BLOB, 0: any number */
};

/* Reads the column at *columns and moves past it; false at the end. */
bool schema_column(const char **columns, struct schema_column *column);

/* Returns the table of this name, or NULL. */
const struct schema_table *schema_find(const struct schema_table *tables, const char *name);

/* Append the SQL statements that make all tables; all indexes. */
void schema_put_tables(const struct schema_table *tables, struct strbuf *sql);
void schema_put_indexes(const struct schema_table *tables, struct strbuf *sql);

#endif

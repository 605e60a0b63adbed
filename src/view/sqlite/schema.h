/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SQLITE_SCHEMA_H
#define VIEW_SQLITE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * The tables of a kind of database, as rows. Whoever makes them, writes them or looks one of their
 * columns up does it by these rows, so that the order of columns stands in one place.
 *
 * `columns` are names with a blank between them and, behind a colon, what they are where that is
 * not INT NOT NULL: a number for a BLOB of so many bytes, B for one of any size, R for REAL, S for
 * TEXT and U for a unique one, L for INTEGER and P for one that is the key (none of them NULL), N
 * for an INTEGER, T for a TEXT and F for a REAL that may be NULL. _id_ is a key that is counted.
 */
struct schema_table {
	const char *name;
	const char *index; /* the column that INDEX_<name> is on, or NULL */
	const char *columns;
};

/* nvprof's file as of CUDA 10, and what Nsight Systems 2024.5 exports of such work; our own tables,
 * CP_*, are in both, but for what the second has a place for. End with the name NULL. */
extern const struct schema_table nvprof_tables[];
extern const struct schema_table nsys_tables[];

struct schema_column {
	const char *name;
	size_t length; /* of the name */
	char type;     /* one of the letters, I for none, K for _id_ */
	uint32_t size; /* bytes of a BLOB, 0 where it may have any number */
};

/* The column at *columns, which goes on to the next one; false at the end. */
bool schema_column(const char **columns, struct schema_column *column);

/* The table called so, or NULL. */
const struct schema_table *schema_find(const struct schema_table *tables, const char *name);

/* Append the SQL statements that make all tables, and all indexes. */
void schema_put_tables(const struct schema_table *tables, struct strbuf *sql);
void schema_put_indexes(const struct schema_table *tables, struct strbuf *sql);

#endif

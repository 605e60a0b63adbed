/* SPDX-License-Identifier: MIT */
#ifndef CLI_TAIL_TAIL_TABLE_H
#define CLI_TAIL_TAIL_TABLE_H

#include "base/strbuf.h"
#include "output/logreader.h"

/*
 * The rows of one log in aligned columns below a heading. Columns are those of the column line, and
 * further ones of rows that have others; the method is the last one. Rows are collected until
 * tail_table_put, so that the rows of a burst have the same widths. Widths only grow.
 */
struct tail_table {
	struct tail_column *columns;
	size_t count, room;
	size_t method;	     /* index of the method's column; `count` if there is none yet */
	bool heading_due;    /* the next rows need a heading above them */
	struct strbuf cells; /* of the collected lines: struct tail_cell, */
	struct strbuf texts; /* their texts, */
	struct strbuf lines; /* and struct tail_line */
	struct strbuf plain; /* a value without escapes */
	bool failed;	     /* out of memory: something is missing */
};

struct tail_form {
	bool styles;	/* a terminal: bold headings and methods, dim lines that are not rows */
	unsigned width; /* of a line, for shortening the method; 0: no limit */
};

/* A zeroed table has no columns. */
void tail_table_free(struct tail_table *table);

/* Makes the columns those of the reader's column line; nothing is collected at this time. */
void tail_table_begin(struct tail_table *table, const struct logreader *reader);

/* Collects the reader's last row, with `method` as the text of its method, not escaped. */
void tail_table_row(struct tail_table *table, const struct logreader *reader,
		    const struct strbuf *method);

/* Collects a line that is not a row. */
void tail_table_aside(struct tail_table *table, const char *line, size_t length);

/* Appends the collected lines, with a heading above the first row if it is due. */
void tail_table_put(struct tail_table *table, struct strbuf *to, const struct tail_form *form);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "base/strbuf.h"

/*
 * Text tables. `rows` are lines of cells between tabs, the first line being the heading. Columns
 * are aligned, the last one is broken at blanks so that lines stay within `width`; 0 = no limit.
 */
void table_format(struct strbuf *to, const char *rows, unsigned width, bool bold_heading);

/* The same on stdout, as wide as the terminal or COLUMNS; NO_COLOR keeps it plain. */
void table_print(struct strbuf *rows);

/* Columns of the terminal that `file` is, or COLUMNS; 0 if neither is known. */
unsigned table_width(int file);

/* Appends a cell: `text` with its control bytes made blanks. */
void table_cell(struct strbuf *rows, const char *text);

#endif

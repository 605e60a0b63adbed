/* SPDX-License-Identifier: MIT */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "base/strbuf.h"

/*
 * Text tables, printed by view/format/printer.h. `rows` are lines of cells separated by tabs; the
 * first line is the heading. Columns are aligned. The last column is wrapped at blanks so that
 * lines are not wider than `width`; 0: no limit.
 */
void table_format(struct strbuf *to, const char *rows, unsigned width, bool bold_heading);

/* Prints the table on stdout in the width of the terminal or of COLUMNS. NO_COLOR disables bold. */
void table_print(struct strbuf *rows);

/* Returns true if `file` is a terminal that shows bold text, and NO_COLOR is unset or empty. */
bool table_has_styles(int file);

/* Returns the columns of the terminal `file`, or COLUMNS; 0 if neither is known. */
unsigned table_width(int file);

/* Appends a cell: `text` with control characters replaced by blanks. */
void table_cell(struct strbuf *rows, const char *text);

#endif

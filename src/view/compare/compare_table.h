/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_COMPARE_TABLE_H
#define VIEW_COMPARE_COMPARE_TABLE_H

#include "view/compare/compare.h"
#include "view/format/printer.h"

/* Appends the table: as text with the environments above it, and the notes and the verdict below
 * it; as CSV the table only. */
void compare_put_table(struct comparison *comparison, const struct printer_page *page);

/* Appends the environment of a side as one line, without the newline. */
void compare_put_side(struct strbuf *to, const struct comparison *comparison, enum runs_side side);

/* Appends the shown change as "+10.2%"; and its interval as "+9.1 to +11.4%", nothing if there is
 * none. */
void compare_put_change(struct strbuf *to, const struct compare_row *row);
void compare_put_interval(struct strbuf *to, const struct compare_row *row);

/* Appends the smaller one of the two adjusted probabilities of the shown test. */
void compare_put_probability(struct strbuf *to, const struct compare_row *row);

#endif

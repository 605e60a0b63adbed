/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_TABLE_H
#define VIEW_RANKS_RANK_TABLE_H

#include "view/format/printer.h"
#include "view/ranks/rank_rows.h"

/* Appends the table or, with `longest`, the list of the longest launches: as text with the inputs
 * above it, and notes on missing data below it; as CSV by itself. */
void rank_table_put(struct rank_rows *rows, const struct printer_page *page, bool longest);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_LIST_H
#define VIEW_RANKS_RANK_LIST_H

#include "view/format/printer.h"
#include "view/ranks/rank_rows.h"

/* Parts of the tables: columns of only one of the two units. */
enum { BY_RANK = 1, BY_PROCESS = 2 };

/* Appends the longest launches of all ranks as a table, or as CSV. */
void rank_list_put(struct rank_rows *rows, const struct printer_page *page);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_LIST_H
#define VIEW_RANKS_RANK_LIST_H

#include "view/format/printer.h"
#include "view/ranks/rank_rows.h"

/* Appends the longest launches of all ranks as a table, or as CSV. */
void rank_list_put(struct rank_rows *rows, const struct printer_page *page);

#endif

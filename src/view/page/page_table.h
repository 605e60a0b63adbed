/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PAGE_PAGE_TABLE_H
#define VIEW_PAGE_PAGE_TABLE_H

#include "view/format/label.h"
#include "view/totals/activity.h"

/* Appends a table of totals as HTML, the longest total time first; nothing without rows. The cells
 * of numbers have the exact values in data-v: nanoseconds, counts, bytes. */
void page_table_put(struct strbuf *to, const char *title, struct activities *activities,
		    struct label *shown);

#endif

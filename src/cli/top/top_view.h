/* SPDX-License-Identifier: MIT */
#ifndef CLI_TOP_TOP_VIEW_H
#define CLI_TOP_TOP_VIEW_H

#include "cli/top/top_table.h"
#include "cli/top/watch_list.h"

/* The text of the view: a line for each process, and the tables of one or of all of them. */
struct top_view {
	const struct watch_list *list;
	enum top_sort sort;
	size_t selected;      /* index of the process with tables */
	bool every;	      /* tables of all processes */
	unsigned width;	      /* of a line in columns, 0: no limit */
	unsigned height;      /* lines, 0: no limit */
	double delay;	      /* seconds */
	size_t selected_line; /* set by top_view_put: number of the line of the selected process */
};

/* Returns the word for a sort key, and the key with this letter or -1. */
const char *top_view_sort_name(enum top_sort sort);
int top_view_sort(char letter);

/* Appends whole lines. A line that is longer than `width` is cut by the caller. */
void top_view_put(struct strbuf *to, struct top_view *view);

#endif

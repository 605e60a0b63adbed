/* SPDX-License-Identifier: MIT */
#ifndef CLI_TOP_TOP_TABLE_H
#define CLI_TOP_TOP_TABLE_H

#include "cli/top/watched.h"

/* The columns by which rows are sorted. Largest first, but names ascending. */
enum top_sort { TOP_TIME, TOP_CALLS, TOP_AVERAGE, TOP_NAME, TOP_RATE, TOP_SORTS };

/* The tables of one process: its GPU activities and its API calls. */
struct top_table {
	struct watched *watched;
	enum top_sort sort;
	unsigned width;	 /* of a line, 0: no limit */
	bool minimum;	 /* with the column of the shortest times */
	unsigned height; /* 0: no limit of lines; else `room` limits them */
	unsigned room;
};

void top_table_put(struct strbuf *to, const struct top_table *table);

/* Appends a number per second. */
void top_table_put_rate(struct strbuf *to, double rate);

#endif

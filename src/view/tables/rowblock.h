/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_ROWBLOCK_H
#define VIEW_TABLES_ROWBLOCK_H

#include "view/tables/tablesjob.h"

/* Sums of one type, a row each: parts of the summary, and of what NVTX's ranges have. */
struct rowblock {
	const char *type; /* "GPU activities" */
	const char *none; /* the line in their place if there is no row; NULL: no line */
	struct activity *const *rows; /* those that count nothing are passed over */
	size_t count;
	double total; /* nanoseconds; rowblock_put sets it */
};

/* The headings, then the rows of each block. Nothing, if there is no row at all. */
void rowblock_put(struct tables_job *job, struct rowblock *blocks, size_t count);

#endif

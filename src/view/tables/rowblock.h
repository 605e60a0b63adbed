/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_ROWBLOCK_H
#define VIEW_TABLES_ROWBLOCK_H

#include "view/tables/tablesjob.h"

/* Totals of one type, one row each: part of the summary and of the tables of NVTX's ranges. */
struct rowblock {
	const char *type; /* "GPU activities" */
	const char *none; /* line printed if there are no rows; NULL: none */
	struct activity *const *rows; /* rows without calls or records are skipped */
	size_t count;
	double total; /* nanoseconds; set by rowblock_put */
};

/* Appends the headings and the rows of each block; nothing if there are no rows. */
void rowblock_put(struct tables_job *job, struct rowblock *blocks, size_t count);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_TRACECOLUMN_H
#define VIEW_TABLES_TRACECOLUMN_H

#include "view/tables/printer.h"

/* The columns of the GPU trace. */

/* One record, as the columns see it. */
struct trace_row {
	const struct catalog *catalog;
	struct label *shown;
	struct record shape; /* all but what follows */
	uint64_t start;	     /* nanoseconds from the trace's origin */
	bool has_start;	     /* else nobody knows it */
	uint64_t duration;
	uint64_t correlation;
};

/* Parts of the table: it has rows of either. */
enum { TRACE_KERNELS = 1 << 0, TRACE_TRANSFERS = 1 << 1 };

enum { TRACE_COLUMNS = 16 };
extern const struct printer_column trace_columns[TRACE_COLUMNS];

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_TRACECOLUMN_H
#define VIEW_TABLES_TRACECOLUMN_H

#include "view/format/printer.h"

/* The columns of the GPU trace. */

/* A row of the GPU trace. */
struct trace_row {
	const struct catalog *catalog;
	struct label *shown;
	struct caller_names *callers; /* NULL: no row has a stack */
	struct record shape; /* without the members below */
	uint64_t start;	     /* nanoseconds from the trace's origin */
	bool has_start;	     /* false: the start is unknown */
	uint64_t duration;
	uint64_t correlation;
};

/* Parts of the table: rows of kernels, and of copies and fills; rows with stacks. */
enum { TRACE_KERNELS = 1 << 0, TRACE_TRANSFERS = 1 << 1, TRACE_CALLERS = 1 << 2 };

enum { TRACE_COLUMNS = 18 };
extern const struct printer_column trace_columns[TRACE_COLUMNS];

#endif

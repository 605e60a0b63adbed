/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_TRACECOLUMN_H
#define VIEW_TABLES_TRACECOLUMN_H

#include "view/tables/tablesjob.h"

/* The columns of the GPU trace. */

/* One record, as the columns see it. */
struct trace_row {
	const struct catalog *catalog;
	struct label *shown;
	struct record shape; /* all but what follows */
	uint64_t start;	     /* nanoseconds from the trace's origin */
	bool has_start;	     /* else nobody knows it */
	uint64_t duration;
	uint64_t bytes;
	uint64_t correlation;
};

/* What a table must have for the column to be there. */
enum used { USED_ALWAYS, USED_BY_KERNELS, USED_BY_TRANSFERS };

struct trace_column {
	const char *heading; /* NULL: not in text */
	const char *csv;     /* its headings in CSV */
	int width;
	unsigned commas; /* in its part of a CSV row: one less than its fields */
	enum used used;
	bool quoted; /* in CSV */
	const char *footnote;
	/* Either a quantity, or text; nothing where the record has no value. */
	const struct quantity *quantity;
	bool (*number)(const struct trace_row *row, double *value);
	void (*text)(struct strbuf *to, const struct trace_row *row);
	void (*fields)(struct strbuf *to, const struct trace_row *row); /* CSV, if it differs */
};

enum { TRACE_COLUMNS = 15 };
extern const struct trace_column trace_columns[TRACE_COLUMNS];

/* As wide as the column; "-" where there is no value. */
void trace_cell(struct strbuf *to, const struct trace_column *column, const struct trace_row *row,
		int time_unit);

/* Nothing where there is no value, but for the commas. */
void trace_field(struct strbuf *to, const struct trace_column *column, const struct trace_row *row,
		 int unit);

/* With the number of the call behind a kernel's, " [112]", at most `room` columns (0: any). */
void trace_name(struct strbuf *to, const struct trace_row *row, size_t room);

#endif

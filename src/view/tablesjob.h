/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLESJOB_H
#define VIEW_TABLESJOB_H

#include "view/quantity.h"
#include "view/survey.h"
#include "view/tables.h"

/* What the tables are made of; for the files that write one each. */
struct tables_job {
	const struct tables_options *options;
	const struct catalog *catalog;
	struct survey survey;
	struct strbuf trace; /* of struct trace_entry */
	struct names *shapes;
	struct strbuf text;
	FILE *to;
};

/* A record of the trace; what many have in common is a text of `shapes`. */
struct trace_entry {
	uint64_t start;
	uint64_t end;
	uint64_t bytes;
	uint64_t correlation;
	uint32_t shape;
};

/* "==PID== " or "======== ". */
const char *tables_prefix(const struct tables_job *job);

/* The unit of all times, or QUANTITY_AUTO. */
int tables_time_unit(const struct tables_job *job);

/* What is in `text` goes to the file, if it is more than `least` bytes. */
void tables_flush(struct tables_job *job, size_t least);

/* The columns that are left for a name behind `length` bytes of a line; 0: any number. */
size_t tables_room(const struct tables_job *job, size_t length);

void summary_put(struct tables_job *job);

/* -1 when memory ran out. */
int gputrace_add(struct tables_job *job, const struct record *record);
void gputrace_put(struct tables_job *job);

#endif

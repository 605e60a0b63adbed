/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_PFLOG_H
#define OUTPUT_PFLOG_H

#include "base/strbuf.h"
#include "model/event.h"
#include "settings/settings.h"

/*
 * The text of the metrics logs (doc/METRICS): metrics.log, which has a line for each function, and
 * timeline.log, which has one for each call of some of them.
 */
enum pflog_row {
#define PFLOG(id, ...) PFLOG_##id,
#include "output/pflog.def"
#undef PFLOG
	PFLOG_ROWS,
	PFLOG_COPY = PFLOG_ROWS, /* a copy, whose row depends on its direction, */
	PFLOG_COPY_ASYNC,	 /* and one by an asynchronous function */
	PFLOG_NONE,
};

/* The kinds of copies: cudaMemcpyKind. */
enum pflog_kind {
	PFLOG_KIND_NONE = -1,
	PFLOG_HOST_TO_HOST = 0,
	PFLOG_HOST_TO_DEVICE = 1,
	PFLOG_DEVICE_TO_HOST = 2,
	PFLOG_DEVICE_TO_DEVICE = 3,
};

/* Returns the row of a function, as a back end names it: PFLOG_NONE for one that is in none. Rows
 * of memory are for events of allocations only. */
enum pflog_row pflog_row_of_function(const char *name);

/* Returns the row of an allocation or release, PFLOG_NONE for memory that does not count. */
enum pflog_row pflog_row_of_memory(const struct allocation *event);

/* Returns the row in the files. `kind` is that of a copy. PFLOG_NONE: the call is in none. */
enum pflog_row pflog_final_row(enum pflog_row row, enum pflog_kind kind, bool native_names);

/* Return true if the row is for copies; if its calls are in timeline.log. */
bool pflog_is_copy(enum pflog_row row);
bool pflog_is_in_timeline(enum pflog_row row);

struct pflog_count {
	uint64_t calls;
	uint64_t time; /* ns */
};

struct pflog_counts {
	struct pflog_count rows[PFLOG_ROWS];
	uint64_t memory; /* bytes in use */
	uint32_t pid;
};

/* Appends the contents of metrics.log in the format of the settings. */
void pflog_put_metrics(struct strbuf *to, const struct metrics_settings *settings,
		       const struct pflog_counts *counts);

/* A line of timeline.log. */
struct pflog_line {
	enum pflog_row row;
	uint64_t start;	   /* ns since the epoch */
	uint64_t duration; /* ns */
	uint64_t bytes;
	enum pflog_kind kind;
};

/* Appends it. In version 2 it has the kind of a copy by the runtime API. */
void pflog_put_line(struct strbuf *to, const struct metrics_settings *settings,
		    const struct pflog_line *line);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_TABLES_H
#define VIEW_TABLES_TABLES_H

#include <stdio.h>

#include "view/stream/stream.h"

/*
 * nvprof's tables, in its form, for users and for programs that read them (doc/FORMAT, "The
 * tables").
 */
enum table {
	TABLE_SUMMARY,	   /* GPU activities: totals per kernel, copy and fill */
	TABLE_API_SUMMARY, /* API calls, after these, if there are any */
	TABLE_GPU_TRACE,   /* each single kernel, copy and fill, in the order of their starts */
	TABLE_API_TRACE,   /* the same for the program's calls */
	TABLE_COUNT
};

enum tables_unit { TABLES_AUTO, TABLES_NS, TABLES_US, TABLES_MS, TABLES_S };

struct tables_options {
	unsigned wanted; /* bits: 1 << enum table */
	bool csv;
	enum tables_unit unit; /* of all times */
	bool demangle;
	bool extras; /* columns p50, p95 and p99, of at most 0.8 % error, or 3 % of running
			totals; in text also bars */
	bool notes; /* text: the records, the overhead and notes after the summary, as an addition
		       to nvprof's output */
	const char *kernels; /* only kernels with matching names, or NULL; as in a configuration
				file, but the demangled name may also match */
	const uint32_t *devices; /* only these (numbers); none: all */
	unsigned device_count;
	uint32_t pid;	/* for "==PID== "; 0: a file, "======== " */
	bool ended;	/* a program has just ended: print nvprof's two lines for that */
	bool running;	/* the process still runs */
	bool unrecovered; /* the last records of the process were not recovered */
	bool only_log;	/* no trace or totals of the process can be read, but it may have a log */
	const char *no_ranges; /* why there is no trace of NVTX's ranges, or NULL */
	bool cut;	/* a process of the run could not write all its data */
	unsigned width; /* of the terminal; 0: names are never shortened */
};

/* Returns the unit for -u auto|s|ms|us|ns; -1 for other words. */
int tables_unit(const char *name);

/*
 * A stream has records and events, or running totals of them (model/totals.h). The latter are
 * enough for the summary, and NVTX's ranges are those of stream_ranges().
 *
 * Reads the stream to its end, once for all tables: the GPU trace, the API trace, then the summary
 * with NVTX's ranges. The summary takes memory per distinct name, the memory of
 * view/totals/ranges.h and view/tables/range_totals.h for ranges, and about 350 bytes per row of
 * ranges. The GPU trace and the API trace take that of view/stream/external_sort.h and ordered.h
 * for any number of rows. Calls and records take time for each label only if the ranges around
 * them change.
 *
 * Times of a program that has just ended (pid) count from its start, others from the first row of
 * the requested traces, as in nvprof.
 *
 * Returns 0, or -1 with one sentence in `error`. Nothing is printed if the file cannot be read at
 * all, without memory, or without space for sorting; of a damaged file, everything before the
 * damage is printed.
 */
int tables_print(FILE *to, struct stream *stream, const struct tables_options *options,
		 struct strbuf *error);

#endif

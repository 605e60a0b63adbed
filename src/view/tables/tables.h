/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TABLES_TABLES_H
#define VIEW_TABLES_TABLES_H

#include <stdio.h>

#include "view/stream/stream.h"

/*
 * The tables that nvprof prints, in its shape, for people and for the programs that read them
 * (doc/FORMAT, "The tables").
 */
enum table {
	TABLE_SUMMARY,	   /* GPU activities: what each kernel, copy and fill adds up to */
	TABLE_API_SUMMARY, /* API calls, behind these, if there are any */
	TABLE_GPU_TRACE,   /* each kernel, copy and fill by itself, in the order of their starts */
	TABLE_API_TRACE,   /* each of the program's calls by itself, the same */
	TABLE_COUNT
};

enum tables_unit { TABLES_AUTO, TABLES_NS, TABLES_US, TABLES_MS, TABLES_S };

struct tables_options {
	unsigned wanted; /* bits: 1 << enum table */
	bool csv;
	enum tables_unit unit; /* of all times */
	bool demangle;
	bool extras; /* columns p50, p95 and p99, of at most 0.8 % error; in text also bars */
	bool notes; /* text: behind the summary the records, the overhead and notes, where nvprof
		       has nothing */
	const char *kernels; /* only kernels whose names match, or NULL; as in a configuration file,
				but the demangled name may match, too */
	const uint32_t *devices; /* only these (their numbers), if there are any */
	unsigned device_count;
	uint32_t pid;	/* for "==PID== "; 0: a file, "======== " */
	bool ended;	/* a program has just ended: the two lines in which nvprof tells it */
	bool unrecovered; /* the last records of the process came nowhere */
	bool cut;	/* a process of the run could not write all that it had to */
	unsigned width; /* of the terminal; 0: names are never shortened */
};

/* The unit of -u auto|s|ms|us|ns; -1 if it is none of them. */
int tables_unit(const char *name);

/*
 * Reads the stream to its end, once for all tables: the GPU trace, the API trace, then the summary
 * with NVTX's ranges, for which the file is opened and read once more if there are any. The summary
 * takes memory for each distinct name, and what view/totals/ranges.h says for ranges, with some
 * 350 bytes for each row of theirs; the GPU trace and the API trace what
 * view/stream/external_sort.h and ordered.h say for any number of rows. Calls and records take time
 * for each text that they are in only where the ranges around them change.
 *
 * Times of a program that has just ended (pid) are counted from its start, others from the first
 * row of the traces that are wanted, as nvprof does.
 *
 * 0, or -1 with one sentence in `error`: nothing is printed when it could not be read at all,
 * memory ran out, or there is no room for what is being sorted; of a damaged file, what came
 * before.
 */
int tables_print(FILE *to, struct stream *stream, const struct tables_options *options,
		 struct strbuf *error);

#endif

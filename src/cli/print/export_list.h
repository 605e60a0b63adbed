/* SPDX-License-Identifier: MIT */
#ifndef CLI_PRINT_EXPORT_LIST_H
#define CLI_PRINT_EXPORT_LIST_H

#include "cli/print/export.h"

/* The inputs of the tables and files of a run. */
struct export_inputs {
	struct export_trace *list;
	size_t count;
};

/* Returns true if the trace is in the folder that this run made. */
bool export_is_own(const struct exports *exports, const char *trace);

/* The reason why traces of the run are empty, as far as it is known. */
struct export_unwritten {
	char why[160];
	const char *advice; /* "; " and what helps, or "" */
};

struct export_unwritten export_unwritten(const struct exports *exports, size_t traces);

/* Adds the traces of the run's folder to the list of traces, one per line: a process cannot always
 * list its files. */
void export_list_own(const struct exports *exports, struct strbuf *traces);

/* Makes the list, in the order of the processes' starts: from the list of traces, or from running
 * totals, with traces for their ranges. The caller frees the list and the paths in it. */
void export_list(const struct exports *exports, struct strbuf *traces,
		 struct export_inputs *inputs);

#endif

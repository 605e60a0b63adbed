/* SPDX-License-Identifier: MIT */
#ifndef CLI_PRINT_EXPORT_KEPT_H
#define CLI_PRINT_EXPORT_KEPT_H

#include "cli/print/export.h"
#include "cli/print/export_list.h"

/* What is kept of a run whose output cannot be made, with the command that makes it later. */

/* Appends the message for traces, which are files, with a newline. */
void export_kept_put(struct strbuf *to, const struct exports *run, const char *target,
		     const struct export_trace *traces, size_t count);

/* Totals are only in memory: saves them for the file `target`, or the tables if it is NULL, and
 * prints the message. If stderr does not take it, totals for tables are removed again. Returns true
 * if they stay. */
bool export_kept_totals(const struct exports *run, const struct export_trace *inputs, size_t count,
			const char *target);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_SOURCE_LINES_H
#define VIEW_ADVISE_SOURCE_LINES_H

#include <stdbool.h>

#include "model/event.h"
#include "view/format/printer.h"
#include "view/stacks/keyed.h"
#include "view/stream/stream.h"

/* What kernels have loaded and stored by line of their source (struct source_line). */

/* Sums of the events with one text. */
struct source_line_sum {
	uint32_t text; /* the key: a name of the catalog, */
	uint32_t is_kernel; /* of a kernel, or of a line */
	bool is_counted;    /* of a kernel: not the reason why it was not */
	uint64_t loads, stores;
	uint64_t zeros, silent, same;
};

struct source_lines {
	struct keyed sums;
	uint64_t launches; /* that were counted */
};

/* Adds a frame of the trace. Returns -1 without memory. */
int source_lines_add(struct source_lines *lines, const struct frame *frame);
void source_lines_free(struct source_lines *lines);

/* Returns true if the trace has some. */
static inline bool source_lines_are_there(const struct source_lines *lines)
{
	return lines->sums.count;
}

struct advice;

/* Appends the table; nothing if the trace has none. Returns -1 without memory. */
int source_lines_put(const struct printer_page *page, struct advice *advice);

/* Appends ", \"lines\": {...}", or null if the trace has none. */
void source_lines_put_json(struct strbuf *to, struct advice *advice);

#endif

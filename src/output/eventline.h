/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_EVENTLINE_H
#define OUTPUT_EVENTLINE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/event.h"

/*
 * The lines of an event stream (doc/LOG, The event stream): one JSON object each, with the keys and
 * the types of CUPTI's activity records. All times are nanoseconds since 1970. The functions append
 * a line with its end. Without memory `failed` is set, and the caller removes what was appended.
 */

/* How a stream in a file begins. */
#define EVENTLINE_START "{\"type\":\"PROCESS\",\"version\":"

/* The first line, which identifies the process of the others. */
void eventline_process(struct strbuf *to, const struct catalog *catalog);

/* A complete record. */
void eventline_record(struct strbuf *to, const struct catalog *catalog,
		      const struct record *record);

/* Returns true if events of this kind have lines: calls, allocations, marks, samples and
 * uses. */
bool eventline_has(const struct frame *event);

/* Such an event. */
void eventline_event(struct strbuf *to, const struct catalog *catalog, const struct frame *event);

/* `count` lines are missing here. */
void eventline_lost(struct strbuf *to, uint32_t pid, uint64_t count);

/* The last line of a process; `count`: how many of its lines are missing in the stream. */
void eventline_end(struct strbuf *to, uint32_t pid, uint64_t count);

#endif

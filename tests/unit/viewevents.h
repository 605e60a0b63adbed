/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_VIEWEVENTS_H
#define TESTS_UNIT_VIEWEVENTS_H

/* Traces of events other than calls, and databases made from them. */
#include "viewfile.h"

static struct strbuf trace, text;

static inline void put_event(enum frame_kind kind, struct frame *event)
{
	event->kind = (uint16_t)kind;
	event->thread = event->thread ? event->thread : 70001;
	trace_put_event(&trace, event);
}

/* Frees the trace. */
static inline sqlite3 *view(const char *path)
{
	struct strbuf error = STRBUF_INIT;

	trace_finish(&trace);
	write_file("run.cptrace", &trace);
	strbuf_free(&trace);
	if (view_trace("run.cptrace", path, &error))
		fail_msg("%s", strbuf_text(&error));
	return open_view(path);
}

static inline void begin(void)
{
	trace_put_header(&trace);
	put_catalog(&trace);
}

static inline void assert_rows(sqlite3 *database, const char *sql, const char *expected)
{
	assert_string_equal(ask(database, sql, &text), expected);
}

#define BIG (UINT64_C(5) << 40)

static inline void put_memory(bool freed, uint64_t enter, uint64_t leave, uint64_t address)
{
	put_event(FRAME_ALLOCATION,
		  &(struct allocation){.frame.flags = freed ? ALLOCATION_FREED : 0,
				       .enter = enter,
				       .leave = leave,
				       .address = address,
				       .bytes = 1ULL << 33,
				       .memory = MEMORY_KIND_DEVICE,
				       .device = 1,
				       .context = UINT32_MAX}
			   .frame);
}

#endif

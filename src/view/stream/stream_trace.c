/* SPDX-License-Identifier: MIT */
#include "output/tracereader.h"
#include "view/stream/streamops.h"

static void *open_trace(const char *path, struct strbuf *error)
{
	return trace_open(path, error);
}

static void close_trace(void *reader)
{
	trace_close(reader);
}

static int next_record(void *reader, const struct record **record, struct strbuf *error)
{
	return trace_next(reader, record, error);
}

static int next_frame(void *reader, const struct frame **frame, struct strbuf *error)
{
	return trace_next_frame(reader, frame, error);
}

static const struct catalog *catalog_of(const void *reader)
{
	return trace_catalog(reader);
}

static bool has_totals(const void *reader)
{
	return trace_has_totals(reader);
}

static uint64_t lost_of(const void *reader)
{
	return trace_lost(reader);
}

static uint64_t lost_events_of(const void *reader)
{
	return trace_lost_events(reader);
}

static bool has_gaps(const void *reader)
{
	return trace_gaps(reader);
}

static enum trace_cut cut_of(const void *reader)
{
	return trace_cut(reader);
}

static bool is_growing(const void *reader)
{
	return trace_is_growing(reader);
}

static int error_of(const void *reader)
{
	return trace_error(reader);
}

static void put_remarks(const void *reader, struct strbuf *to)
{
	uint64_t unknown = trace_unknown(reader);

	if (unknown)
		strbuf_printf(to, TRACE_UNKNOWN "\n", (unsigned long long)unknown);
}

const struct stream_ops stream_trace = {
	.open = open_trace,
	.close = close_trace,
	.next = next_record,
	.next_frame = next_frame,
	.catalog = catalog_of,
	.has_totals = has_totals,
	.lost = lost_of,
	.lost_events = lost_events_of,
	.has_gaps = has_gaps,
	.tells_gaps = true,
	.cut = cut_of,
	.is_growing = is_growing,
	.error = error_of,
	.remarks = put_remarks,
};

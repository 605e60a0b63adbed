/* SPDX-License-Identifier: MIT */
#include "output/trace.h"

#include <string.h>

#include "model/frames.h"

void trace_put_header(struct strbuf *to)
{
	struct trace_header header = {
		.version = TRACE_VERSION,
		.byte_order = TRACE_BYTE_ORDER,
		.frame_size = sizeof(struct frame),
		.record_size = sizeof(struct record),
	};

	memcpy(header.magic, TRACE_MAGIC, sizeof(header.magic));
	strbuf_append(to, &header, sizeof(header));
}

void trace_put_record(struct strbuf *to, const struct record *record)
{
	struct record copy = *record;

	copy.handle = 0; /* means nothing outside the process */
	strbuf_append(to, &copy, sizeof(copy));
	strbuf_append(to, record_values(record), record_value_count(record) * sizeof(double));
}

void trace_put_event(struct strbuf *to, const struct frame *event)
{
	struct frame frame = *event;

	frame.size = frames_fixed_size(event->kind); /* not of the slot that it had */
	strbuf_append(to, &frame, sizeof(frame));
	strbuf_append(to, event + 1, frame.size - sizeof(frame));
}

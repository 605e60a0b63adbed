/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_TRACE_H
#define OUTPUT_TRACE_H

#include "base/strbuf.h"
#include "model/event.h"

/*
 * The binary trace: this header, then frames as model/frames.h and model/record.h have them. A
 * name, device or context frame stands before the first record that uses its id.
 */
#define TRACE_MAGIC "CPTRACE"

enum { TRACE_VERSION = 1, TRACE_BYTE_ORDER = 0x01020304 };

struct trace_header {
	char magic[8];
	uint32_t version;
	uint32_t byte_order;
	uint32_t frame_size;  /* of struct frame */
	uint32_t record_size; /* of struct record */
};

void trace_put_header(struct strbuf *to);
void trace_put_record(struct strbuf *to, const struct record *record);
/* One of model/event.h. */
void trace_put_event(struct strbuf *to, const struct frame *event);

#endif

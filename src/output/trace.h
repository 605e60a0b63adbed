/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_TRACE_H
#define OUTPUT_TRACE_H

#include "base/strbuf.h"
#include "model/event.h"

/*
 * The binary trace: this header, a table of the kinds of frames, and the frames of model/frames.h
 * and model/record.h. A name, device or context frame comes before the first record that uses its
 * id. The last frame is END (struct end_frame).
 */
#define TRACE_MAGIC "CPTRACE"

enum { TRACE_VERSION = 2, TRACE_BYTE_ORDER = 0x01020304 };

struct trace_header {
	char magic[8];
	uint32_t version;
	uint32_t byte_order;
	uint32_t header_size; /* of this struct and the table after it */
	uint32_t kind_count;  /* entries of the table: struct trace_kind */
};

/* The size of a kind's struct in this file. New fields are added at the end of a struct. */
struct trace_kind {
	uint16_t kind; /* enum frame_kind */
	uint16_t reserved;
	uint32_t size; /* without the texts or blocks after it */
};

void trace_put_header(struct strbuf *to);
/* Returns the number of frames in `length` bytes that consist of whole frames, up to a damaged
 * one. */
uint64_t trace_count_frames(const char *bytes, size_t length);
/* Appends the END frame to a header and the frames of a whole trace. */
void trace_finish(struct strbuf *whole);
void trace_put_record(struct strbuf *to, const struct record *record);
/* Appends a struct of model/event.h. */
void trace_put_event(struct strbuf *to, const struct frame *event);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_TRACELAYOUT_H
#define OUTPUT_TRACELAYOUT_H

#include "base/strbuf.h"
#include "model/frames.h"

/*
 * The layout of a trace's frames, and their conversion to the structs of this version. Fields that
 * are missing in the file become zero, and unknown fields are left out. A file of version 1 has no
 * table: its sizes are fixed, and its values of counters become a block.
 */
enum { TRACE_HEADER_LIMIT = 1 << 16 /* bytes of a header */ };

struct trace_layout {
	uint32_t version;
	uint32_t header_size;
	bool is_current; /* frames have the layout that this version writes */
	uint32_t sizes[FRAME_KINDS]; /* of each kind's struct; 0: not in a trace */
};

/* Reads the layout from the first `have` bytes of a file. Returns 0, or -1 if they are not a header
 * of a readable version; `version` is that of the header, or 0. If the header is longer than
 * `have`, only `header_size` and `version` are set. */
int trace_layout_read(struct trace_layout *layout, const void *bytes, size_t have);

/* The meaning of a frame of the file for this version. */
enum trace_frame_state {
	TRACE_FRAME_DAMAGED,
	TRACE_FRAME_UNKNOWN, /* skipped */
	TRACE_FRAME_KNOWN,
};

/* `frame` is complete and in writable memory. A known frame is converted to this version: in place,
 * or in `room`, to which `frame` then points. Its contents are not checked (frames_valid).
 * `room->failed` is set without memory. */
enum trace_frame_state trace_layout_convert(const struct trace_layout *layout, struct frame **frame,
					    struct strbuf *room);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_TRACELAYOUT_H
#define OUTPUT_TRACELAYOUT_H

#include "base/strbuf.h"
#include "model/frames.h"

/*
 * How a trace's frames are laid out, and how they are brought to the structs of this version.
 * Fields that the file does not have are zero, and those that this version does not know are left
 * out. A file of version 1 has no table: its sizes are known, and its values of counters become a
 * block.
 */
enum { TRACE_HEADER_LIMIT = 1 << 16 /* bytes of a header */ };

struct trace_layout {
	uint32_t version;
	uint32_t header_size;
	bool is_current; /* frames are laid out as this version writes them */
	uint32_t sizes[FRAME_KINDS]; /* of each kind's struct; 0: not in a trace */
};

/* From the first `have` bytes of a file: 0 and the layout, -1 if they are no header of a version
 * that can be read; `version` is what the header says, or 0. Where the header needs more bytes, its
 * `header_size` is greater than `have`, and nothing else is set. */
int trace_layout_read(struct trace_layout *layout, const void *bytes, size_t have);

/* What a frame of the file is for this version. */
enum trace_frame_state {
	TRACE_FRAME_DAMAGED,
	TRACE_FRAME_UNKNOWN, /* passed over */
	TRACE_FRAME_KNOWN,
};

/* `frame` is whole and in memory that may be written to. A known one is laid out as this version
 * does afterwards: in place, or in `room`, to which `frame` points then. `room->failed` is set if
 * memory ran out. */
enum trace_frame_state trace_layout_convert(const struct trace_layout *layout, struct frame **frame,
					    struct strbuf *room);

#endif

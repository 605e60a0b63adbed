/* SPDX-License-Identifier: MIT */
#ifndef TESTS_PRINT_VALUES_H
#define TESTS_PRINT_VALUES_H

#include <stdio.h>

#include "model/frames.h"
#include "session/ringfile.h"

/* The enums of doc/FORMAT, for print_layouts.c: a line "value ENUM NAME NUMBER" each. */
#define VALUE(type, prefix, name) printf("value " #type " " #name " %d\n", (int)prefix##name)

static void print_kinds(void)
{
	VALUE(frame_kind, FRAME_, NONE);
	VALUE(frame_kind, FRAME_, PAD);
	VALUE(frame_kind, FRAME_, PROCESS);
	VALUE(frame_kind, FRAME_, NAME);
	VALUE(frame_kind, FRAME_, DEVICE);
	VALUE(frame_kind, FRAME_, CONTEXT);
	VALUE(frame_kind, FRAME_, LOG);
	VALUE(frame_kind, FRAME_, KERNEL);
	VALUE(frame_kind, FRAME_, COPY);
	VALUE(frame_kind, FRAME_, FILL);
	VALUE(frame_kind, FRAME_, LOST);
	VALUE(frame_kind, FRAME_, RULES);
	VALUE(frame_kind, FRAME_, TRACE);
	VALUE(frame_kind, FRAME_, COUNTERS);
	VALUE(frame_kind, FRAME_, CALL);
	VALUE(frame_kind, FRAME_, MARK);
	VALUE(frame_kind, FRAME_, ALLOCATION);
	VALUE(frame_kind, FRAME_, WAIT);
	VALUE(frame_kind, FRAME_, QUEUE);
	VALUE(frame_kind, FRAME_, OVERHEAD);
	VALUE(frame_kind, FRAME_, STACK);
	VALUE(frame_kind, FRAME_, MODULE);
	VALUE(frame_kind, FRAME_, SAMPLE);
	VALUE(frame_kind, FRAME_, CHANGE);
	VALUE(frame_kind, FRAME_, TOTALS);
	VALUE(frame_kind, FRAME_, END);
	VALUE(frame_kind, FRAME_, USE);
	VALUE(frame_kind, FRAME_, PATTERN);
	VALUE(frame_kind, FRAME_, VALUE);
	VALUE(frame_kind, FRAME_, SOURCE_LINE);
	VALUE(frame_kind, FRAME_, RECORDED);
	VALUE(frame_kind, FRAME_, ATTRIBUTE);
	VALUE(frame_kind, FRAME_, MANAGED);
	VALUE(block_tag, BLOCK_, COUNTERS);
	VALUE(block_tag, BLOCK_, VALUES);
	VALUE(block_tag, BLOCK_, ARGUMENTS);
	VALUE(block_tag, BLOCK_, LABEL);
	_Static_assert(FRAME_KINDS == FRAME_MANAGED + 1,
		       "a new kind belongs here and in doc/FORMAT");
}

static void print_known(void)
{
	VALUE(record_known, KNOWN_, TIMES);
	VALUE(record_known, KNOWN_, GRID);
	VALUE(record_known, KNOWN_, BLOCK_GIVEN);
	VALUE(record_known, KNOWN_, STATIC_SHARED);
	VALUE(record_known, KNOWN_, DYNAMIC_SHARED);
	VALUE(record_known, KNOWN_, REGISTERS);
	VALUE(record_known, KNOWN_, OCCUPANCY);
	VALUE(record_known, KNOWN_, STREAM);
	VALUE(record_known, KNOWN_, CACHE);
	VALUE(record_known, KNOWN_, BYTES);
	VALUE(record_known, KNOWN_, DIRECTION);
	VALUE(record_known, KNOWN_, HOST_MEMORY);
	VALUE(record_known, KNOWN_, BLOCK);
	VALUE(record_known, KNOWN_, PEERS);
}

static void print_small(void)
{
#define API(id, ...) VALUE(api, API_, id);
#include "model/api.def"
#undef API
	VALUE(dialect, DIALECT_, CLASSIC);
	VALUE(dialect, DIALECT_, CUDA4);
	VALUE(format, FORMAT_, KEYVAL);
	VALUE(format, FORMAT_, CSV);
	VALUE(memory, MEMORY_, HOST);
	VALUE(memory, MEMORY_, DEVICE);
	VALUE(memory, MEMORY_, ARRAY);
	VALUE(memory, MEMORY_, PEER);
	VALUE(record_flag, RECORD_, ASYNCHRONOUS);
	VALUE(record_flag, RECORD_, FAILED);
	VALUE(record_flag, RECORD_, BAD_TIMES);
	VALUE(record_flag, RECORD_, UNFINISHED);
	VALUE(record_flag, RECORD_, NO_CALL);
	VALUE(record_flag, RECORD_, NESTED);
	VALUE(log_flag, LOG_, RECOVERED);
	VALUE(log_flag, LOG_, API);
	VALUE(segment_kind, SEGMENT_, RING);
	VALUE(segment_kind, SEGMENT_, PENDING);
	VALUE(segment_kind, SEGMENT_, FRAMES);
	VALUE(segment_kind, SEGMENT_, TOTALS);
	VALUE(segment_kind, SEGMENT_, FILLER);
	_Static_assert(DIALECT_COUNT == 2 && FORMAT_COUNT == 2,
		       "a new value belongs here and in doc/FORMAT");
}

#endif

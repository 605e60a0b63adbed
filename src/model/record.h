/* SPDX-License-Identifier: MIT */
#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * The record. This struct is used for the slots of the rings, the pending places, the frames of a
 * trace and recovery, so all have one format (doc/FORMAT describes each byte). It has the host's
 * byte order, which the trace header states.
 */

/* Numbered by the rows of api.def. */
enum api {
#define API(id, ...) API_##id,
#include "model/api.def"
#undef API
	API_COUNT
};

/* Values are written to trace files: append only. */
enum frame_kind {
	FRAME_NONE = 0, /* a slot that was never committed */
	FRAME_PAD = 1,	/* filler up to the end of a ring */
	FRAME_PROCESS = 2,
	FRAME_NAME = 3,
	FRAME_DEVICE = 4,
	FRAME_CONTEXT = 5,
	FRAME_LOG = 6,
	FRAME_KERNEL = 7, /* 7 to 9: struct record */
	FRAME_COPY = 8,
	FRAME_FILL = 9,
	FRAME_LOST = 10,
	FRAME_RULES = 11,
	FRAME_TRACE = 12,
	FRAME_COUNTERS = 13,
	FRAME_CALL = 14, /* 14 to 19: events, model/event.h */
	FRAME_MARK = 15,
	FRAME_ALLOCATION = 16,
	FRAME_WAIT = 17,
	FRAME_QUEUE = 18,
	FRAME_OVERHEAD = 19,
	FRAME_STACK = 20, /* 20 and 21: call stacks */
	FRAME_MODULE = 21,
	FRAME_SAMPLE = 22, /* an event, too */
	FRAME_CHANGE = 23, /* an event, too */
	FRAME_TOTALS = 24,
	FRAME_END = 25, /* of a trace */
	FRAME_USE = 26, /* 26 to 29: events, too */
	FRAME_PATTERN = 27,
	FRAME_VALUE = 28,
	FRAME_SOURCE_LINE = 29,
	FRAME_RECORDED = 30, /* 30 to 32: events, too */
	FRAME_ATTRIBUTE = 31,
	FRAME_MANAGED = 32,
	FRAME_KINDS
};

/* The start of every frame, at a multiple of 8 bytes. */
struct frame {
	uint32_t size; /* of the whole frame, header included, a multiple of 8 */
	uint16_t kind; /* enum frame_kind */
	uint16_t flags;
	uint64_t correlation; /* unique per command in a process, 0 for other frames */
	uint32_t thread;      /* kernel thread id of the caller */
	uint32_t stack; /* id of the call stack of the caller, 0 if it was not recorded */
};

/* The members of a struct record that have a value. */
enum record_known {
	KNOWN_TIMES = 1 << 0,	    /* queued .. ended */
	KNOWN_GRID = 1 << 1,	    /* grid and block */
	KNOWN_BLOCK_GIVEN = 1 << 2, /* block_given */
	KNOWN_STATIC_SHARED = 1 << 3,
	KNOWN_DYNAMIC_SHARED = 1 << 4,
	KNOWN_REGISTERS = 1 << 5,
	KNOWN_OCCUPANCY = 1 << 6,
	KNOWN_STREAM = 1 << 7,
	KNOWN_CACHE = 1 << 8,
	KNOWN_BYTES = 1 << 9,
	KNOWN_DIRECTION = 1 << 10,
	KNOWN_HOST_MEMORY = 1 << 11,
	KNOWN_BLOCK = 1 << 12,	    /* block, but not grid (the grid has its own bit) */
	KNOWN_PEERS = 1 << 13,	    /* copies: peers, in the place of grid */
	KNOWN_GRID_ALONE = 1 << 14, /* grid, but not block: of logs and databases, in no trace */
};

/* memtransferdir as the logs print it. */
enum direction {
	DIRECTION_HOST_TO_DEVICE = 0,
	DIRECTION_DEVICE_TO_HOST = 1,
	DIRECTION_DEVICE = 2,
	DIRECTION_COUNT
};

/* memtransferhostmemtype as the logs print it. */
enum host_memory { HOST_MEMORY_PAGEABLE = 0, HOST_MEMORY_PAGE_LOCKED = 1 };

/* The kinds of memory a copy runs between; they make the cuda4 method name (memcpyHtoD ...). */
enum memory {
	MEMORY_HOST,
	MEMORY_DEVICE,
	MEMORY_ARRAY,
	MEMORY_PEER, /* on both sides: memory of another device; the logs call both sides device */
	MEMORY_COUNT
};

/* frame.flags of a record */
enum record_flag {
	RECORD_ASYNCHRONOUS = 1 << 0, /* cuda4 appends "async" to the copy's name */
	RECORD_FAILED = 1 << 1,       /* the device reported an error for this command */
	RECORD_BAD_TIMES = 1 << 2,    /* its time stamps were zero or out of order */
	RECORD_UNFINISHED = 1 << 3,   /* written out before it had completed */
	RECORD_NO_CALL = 1 << 4,      /* the time of its call is unknown, or another record of
					 the same call has it */
	RECORD_NESTED = 1 << 5,       /* its call was made inside another recorded call */
};

/* Both ends of a copy from one device to another, as ids in the catalog. */
struct peers {
	uint32_t source_device;
	uint32_t source_context;
	uint32_t target_device;
	uint32_t target_context;
};

/*
 * One kernel, copy or fill. Host times are CLOCK_MONOTONIC nanoseconds. Device times are
 * nanoseconds since the epoch, converted when they were read from the device. A record without a
 * call (RECORD_NO_CALL) is ordered by `enter` alone.
 *
 * Blocks (model/block.h), such as the values of counters, follow it up to frame.size.
 */
struct record {
	struct frame frame;
	uint64_t enter;  /* the call was entered */
	uint64_t leave;  /* the call returned */
	uint64_t queued; /* device times (KNOWN_TIMES): queued <= submitted <= started <= ended */
	uint64_t submitted;
	uint64_t started;
	uint64_t ended;
	uint64_t handle; /* the back end's, in the live process; 0 once the device half is in */
	uint64_t bytes;
	union {
		uint64_t grid[3];   /* work-groups or blocks */
		struct peers peers; /* of copies (KNOWN_PEERS) */
	};
	uint32_t block[3]; /* work-items of a group or threads of a block */
	uint32_t name;     /* of the kernel, in the name table; 0 for copies and fills */
	uint32_t device;   /* id in the catalog */
	uint32_t context;  /* id in the catalog */
	uint32_t stream;   /* ordinal of the queue or stream, as streamid prints it */
	uint32_t static_shared;  /* bytes per group */
	uint32_t dynamic_shared; /* bytes per group */
	uint32_t registers;      /* per work-item */
	float occupancy;         /* 0 .. 1 */
	uint32_t known;          /* enum record_known */
	uint8_t direction;       /* enum direction */
	uint8_t host_memory;     /* enum host_memory */
	uint8_t source;          /* enum memory, copies only */
	uint8_t target;          /* enum memory, copies only */
	uint8_t block_given;     /* 1 if the caller chose the block size */
	uint8_t cache_requested; /* 0 none, 1 shared, 2 L1, 3 equal */
	uint8_t cache_executed;
	uint8_t batch; /* pending records: log_batch of the commit that has their row; else 0 */
};

/*
 * Copies and clears in thirds. For a whole record compilers generate "rep movs" or "rep stos",
 * which start slowly; for a third they do not.
 */
enum { RECORD_THIRD = sizeof(struct record) / 3 };

static inline void record_copy(struct record *to, const struct record *from)
{
	memcpy(to, from, RECORD_THIRD);
	memcpy((char *)to + RECORD_THIRD, (const char *)from + RECORD_THIRD, RECORD_THIRD);
	memcpy((char *)to + 2 * RECORD_THIRD, (const char *)from + 2 * RECORD_THIRD, RECORD_THIRD);
}

static inline void record_clear(struct record *record)
{
	memset(record, 0, RECORD_THIRD);
	memset((char *)record + RECORD_THIRD, 0, RECORD_THIRD);
	memset((char *)record + 2 * RECORD_THIRD, 0, RECORD_THIRD);
}

/* Returns true if the driver provided the times of enqueuing and submission; otherwise both equal
 * `started`. */
static inline bool record_has_queued(const struct record *record)
{
	return record->queued != record->started || record->submitted != record->started;
}

_Static_assert(sizeof(struct frame) == 24, "the frame header is part of the trace format");
_Static_assert(sizeof(struct peers) == 16, "struct peers is part of the trace format");
_Static_assert(sizeof(struct record) == 168, "struct record is part of the trace format");

#endif

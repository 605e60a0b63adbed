/* SPDX-License-Identifier: MIT */
#ifndef MODEL_AMOUNT_H
#define MODEL_AMOUNT_H

#include "model/event.h"
#include "model/totals.h"

/* The amounts that a record, a call or an event adds to totals: in the profiled program and in the
 * views of a trace. */

/* Adds with saturation. */
static inline uint64_t amount_add(uint64_t sum, uint64_t more)
{
	return sum + more < sum ? UINT64_MAX : sum + more;
}

/* Returns nanoseconds, 0 if the end is not after the start: a file may have any times. */
static inline uint64_t amount_between(uint64_t start, uint64_t end)
{
	return end > start ? end - start : 0;
}

/* Returns the record's time on the device; 0 without times. */
static inline uint64_t amount_duration(const struct record *record)
{
	return record->known & KNOWN_TIMES ? amount_between(record->started, record->ended) : 0;
}

static inline uint64_t amount_call_duration(const struct call *call)
{
	return amount_between(call->enter, call->leave);
}

/* Returns the reason why a record without times has none. */
static inline enum totals_missing amount_missing(const struct record *record)
{
	if (record->frame.flags & RECORD_UNFINISHED)
		return TOTALS_UNFINISHED;
	if (record->frame.flags & RECORD_FAILED)
		return TOTALS_FAILED;
	return record->frame.flags & RECORD_BAD_TIMES ? TOTALS_BAD_TIMES : TOTALS_UNKNOWN;
}

/* Returns true if the host waited for a copy with times in its call. `shift` is
 * process.monotonic_to_epoch. */
static inline bool amount_is_waited(const struct record *record, int64_t shift)
{
	return !(record->frame.flags & RECORD_NO_CALL) && record->leave >= record->enter &&
	       record->ended <= record->leave + (uint64_t)shift;
}

/* Returns true if the copy is from or to pageable memory. */
static inline bool amount_is_pageable(const struct record *record)
{
	return record->known & KNOWN_HOST_MEMORY && record->host_memory == HOST_MEMORY_PAGEABLE;
}

/* Kinds of memory without a name are treated as one. */
enum { AMOUNT_OTHER_MEMORY = MEMORY_COUNT, AMOUNT_MEMORIES };

static inline uint8_t amount_memory(uint8_t memory)
{
	return memory < AMOUNT_OTHER_MEMORY ? memory : AMOUNT_OTHER_MEMORY;
}

/* Compiling, loading and full command buffers are overheads of the driver, also without a
 * profiler. */
static inline bool amount_is_own_overhead(const struct overhead *overhead)
{
	return overhead->kind == OVERHEAD_FLUSH || overhead->kind == OVERHEAD_INSTRUMENTATION ||
	       overhead->kind == OVERHEAD_RESOURCE || overhead->kind == OVERHEAD_BUFFER ||
	       overhead->kind == OVERHEAD_MANAGED;
}

/* Returns true if the host waits. */
static inline bool amount_is_host_wait(const struct wait *wait)
{
	return wait->kind != WAIT_STREAM_FOR_EVENT;
}

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_MEMORY_USAGE_H
#define VIEW_TOTALS_MEMORY_USAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/catalog.h"
#include "model/event.h"
#include "view/stream/recent_map.h"

/*
 * How much memory of a kind a context has, over time. Beginnings and ends of allocations come in no
 * order, sums have one: the INUSE_WAITING latest ones wait, and leave by their moments, which are
 * the end of the call for a beginning and the beginning of the call for an end. One that comes too
 * late even so counts from the latest moment that left.
 *
 * An end is of the allocation of its address, kind and context, of INUSE_ALLOCATIONS that are
 * remembered: it takes away what that one added. Where none is there and none was forgotten, the
 * memory is older than the trace, and its end changes nothing; later its own bytes count, as far as
 * there are as many. An allocation at the place of one that is there takes its place.
 */
enum { INUSE_WAITING = 1 << 16, INUSE_ALLOCATIONS = 1 << 18 };

enum { INUSE_KINDS = MEMORY_KIND_PIPE + 1 };

/* From this moment on. */
struct memory_usage_sample {
	uint64_t time;	  /* CLOCK_MONOTONIC ns, never before the last one's */
	uint32_t context; /* id in the catalog, UINT32_MAX: not known */
	enum memory_kind kind;
	uint64_t bytes;
	uint64_t total; /* of all kinds and contexts */
};

struct memory_usage_change;

struct memory_usage {
	struct memory_usage_change *waiting; /* a heap: the earliest comes first */
	uint32_t count;
	uint64_t added;	     /* so far */
	uint64_t time;	     /* of the last sample */
	uint64_t *bytes;     /* in use: of each context, the unknown one first, INUSE_KINDS */
	uint64_t total;
	uint64_t live;	     /* allocations that were met and have not ended */
	struct recent_map there; /* allocations, by address, context and kind */
	bool has_forgotten;
};

/* 0, or -1 without memory. memory_usage_close is for a zeroed one, too. */
int memory_usage_open(struct memory_usage *inuse);
void memory_usage_close(struct memory_usage *inuse);

/* Whether one has to leave before the next may come. */
bool memory_usage_is_full(const struct memory_usage *inuse);

/* The times are such as may be; a context that cannot be is one that is not known. */
void memory_usage_add(struct memory_usage *inuse, const struct allocation *allocation);

/* The earliest one leaves. False: there is none. */
bool memory_usage_shift(struct memory_usage *inuse, struct memory_usage_sample *sample);

#endif

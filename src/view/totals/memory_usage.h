/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_MEMORY_USAGE_H
#define VIEW_TOTALS_MEMORY_USAGE_H

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/event.h"

/*
 * The memory in use by kind and context, over time. Starts and ends of allocations have no order.
 * They are sorted twice, each time within the budget of view/stream/external_sort.h: by address, to
 * join each end to its start, then by time: a start counts from the return of its call, an end from
 * the time at which its call was entered.
 *
 * An end subtracts the bytes of the allocation with its address, kind and address space
 * (api_address_space), from the context of that allocation. Without one, the memory is older
 * than the trace, and its end changes nothing. A second allocation at an address replaces the
 * first, which may be a sample more than there are starts and ends, if it has another context.
 */
enum { INUSE_KINDS = MEMORY_KIND_PIPE + 1 };

/* The memory in use from `time` on. */
struct memory_usage_sample {
	uint64_t time;	  /* CLOCK_MONOTONIC ns, not before that of the last sample */
	uint32_t context; /* id in the catalog, UINT32_MAX: not known */
	enum memory_kind kind;
	uint64_t bytes;
	uint64_t total; /* of all kinds and contexts */
};

struct memory_usage;

/* Returns NULL without memory. */
struct memory_usage *memory_usage_new(void);
void memory_usage_free(struct memory_usage *usage); /* NULL: does nothing */

/* Adds a start or an end with valid times; an invalid context counts as unknown. Returns 0, or -1
 * with one sentence in `error`. Nothing may be added after the first sample was read. */
int memory_usage_add(struct memory_usage *usage, const struct allocation *allocation,
		     struct strbuf *error);

/* Returns 1 and the next sample, 0 after the last one, -1 with one sentence. */
int memory_usage_next(struct memory_usage *usage, struct memory_usage_sample *sample,
		      struct strbuf *error);

/* After the last sample: allocations without an end, and their bytes. */
uint64_t memory_usage_left(const struct memory_usage *usage, uint64_t *bytes);

#endif

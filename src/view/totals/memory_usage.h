/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_MEMORY_USAGE_H
#define VIEW_TOTALS_MEMORY_USAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/event.h"

/*
 * How much memory of a kind a context has, over time. Beginnings and ends of allocations come in no
 * order; they are sorted, within view/stream/external_sort.h's budget each time: first by address,
 * so that each end finds its beginning, then by their moments, which are the end of the call for a
 * beginning and the beginning of the call for an end.
 *
 * An end is of the allocation of its address, kind and context: it takes away what that one added.
 * Where none is there, the memory is older than the trace, and its end changes nothing. An
 * allocation at the place of one that is there takes its place.
 */
enum { INUSE_KINDS = MEMORY_KIND_PIPE + 1 };

/* From this moment on. */
struct memory_usage_sample {
	uint64_t time;	  /* CLOCK_MONOTONIC ns, never before the last one's */
	uint32_t context; /* id in the catalog, UINT32_MAX: not known */
	enum memory_kind kind;
	uint64_t bytes;
	uint64_t total; /* of all kinds and contexts */
};

struct memory_usage;

/* NULL without memory. */
struct memory_usage *memory_usage_new(void);
void memory_usage_free(struct memory_usage *inuse); /* NULL: nothing */

/* The times are such as may be; a context that cannot be is one that is not known. 0, or -1 with
 * one sentence in `error`. None may be added once a sample was taken. */
int memory_usage_add(struct memory_usage *inuse, const struct allocation *allocation,
		     struct strbuf *error);

/* 1 and the next sample, 0 behind the last one, -1 with one sentence. */
int memory_usage_next(struct memory_usage *inuse, struct memory_usage_sample *sample,
		      struct strbuf *error);

/* Behind the last sample: allocations that have not ended, and their bytes. */
uint64_t memory_usage_left(const struct memory_usage *inuse, uint64_t *bytes);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_MOMENTS_H
#define VIEW_ADVISE_MOMENTS_H

#include "view/advise/objects.h"
#include "view/stream/external_sort.h"

/* What happens at a time. Moments of the same time are in this order. */
enum moment_kind {
	MOMENT_KERNEL_END,
	MOMENT_USE_END,
	MOMENT_RELEASE,
	MOMENT_ALLOCATE,
	MOMENT_KERNEL_START,
	MOMENT_USE_START,
};

struct moment {
	uint32_t object; /* in objects.list, or the place of a kernel */
	uint16_t access; /* USE_START: enum use_access */
	bool is_assumed; /* USE_START: the access is */
	bool is_whole;	 /* USE_START: all bytes of the object are used */
	bool is_device;	 /* LIFE_DEVICE has the use */
	uint64_t time;	 /* USE_START: until its end, ns */
	struct use_place place; /* USE_START */
};

/* Returns 0, or -1 with one sentence in `error`. */
int moments_add(struct external_sort *moments, uint64_t time, enum moment_kind kind,
		const struct moment *moment, struct strbuf *error);

/* Goes through the moments in the order of time. Sets the lives and dead writes of the objects, and
 * the peaks of the places. Returns 0, or -1 with one sentence in `error`. */
int moments_follow(struct external_sort *moments, struct objects *objects, struct strbuf *error);

#endif

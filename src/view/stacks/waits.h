/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_WAITS_H
#define VIEW_STACKS_WAITS_H

#include "model/event.h"

/*
 * Finds what a thread waited for: the kernel, copy or fill that ended last in a wait, on the same
 * stream if that is known.
 */
struct waits {
	struct wait *waits;
	size_t wait_count, wait_room;
	struct wait_end *ends;
	size_t end_count, end_room;
};

/* A command that ended. */
struct wait_end {
	uint64_t time; /* CLOCK_MONOTONIC ns */
	uint32_t name; /* of a kernel, else 0 */
	uint32_t kind; /* FRAME_KERNEL, FRAME_COPY or FRAME_FILL */
	uint32_t context;
	uint32_t stream; /* UINT32_MAX: not known */
	uint8_t source, target; /* of a copy */
	uint8_t padding[6];
};

/* Both return 0, or -1 without memory. After some millions, further commands and further waits are
 * not kept. */
int waits_add_record(struct waits *waits, const struct record *record, int64_t monotonic_to_epoch);
int waits_add(struct waits *waits, const struct wait *wait);
void waits_free(struct waits *waits);

/* Call it before waits_find, after the last command. */
void waits_sort(struct waits *waits);

/* Returns NULL if it is not known. */
const struct wait_end *waits_find(const struct waits *waits, const struct wait *wait);

#endif

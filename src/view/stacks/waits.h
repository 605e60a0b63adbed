/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_WAITS_H
#define VIEW_STACKS_WAITS_H

#include "base/strbuf.h"
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
	size_t limit; /* of commands, and of waits, that are kept; 0: 1 << 22 */
	uint64_t more_ends; /* commands that were not kept */
	uint64_t more_waits;
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

/* Both return 0, or -1 without memory; waits_add returns 1 for a wait that is not kept, because
 * there are too many: the caller adds up its time. */
int waits_add_record(struct waits *waits, const struct record *record, int64_t monotonic_to_epoch);
int waits_add(struct waits *waits, const struct wait *wait);

/* Appends what is not known because there were too many; nothing if there were not. `pid` is the
 * process's. */
void waits_put_message(struct strbuf *to, const struct waits *waits, uint32_t pid);
void waits_free(struct waits *waits);

/* Call it before waits_find, after the last command. */
void waits_sort(struct waits *waits);

/* Returns NULL if it is not known. */
const struct wait_end *waits_find(const struct waits *waits, const struct wait *wait);

#endif

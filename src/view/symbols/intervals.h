/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SYMBOLS_INTERVALS_H
#define VIEW_SYMBOLS_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Intervals of addresses that are nested in each other: functions and what is inlined in them. In
 * some files intervals overlap without nesting; some of these are not found.
 */
struct interval {
	uint64_t low, high; /* without `high` */
	uint32_t item;      /* the caller's number */
	uint32_t parent;    /* 1 + index of the one around it, 0 if there is none */
};

struct intervals {
	struct interval *list;
	size_t count, room;
};

/* Empty intervals are left out. Returns -1 without memory, and for more than 1 << 22 intervals. */
int intervals_add(struct intervals *to, uint64_t low, uint64_t high, uint32_t item);
void intervals_free(struct intervals *intervals);

/* Call once, after the last interval was added. Of equal intervals, that with the greater `item`
 * counts as nested in the other. */
void intervals_sort(struct intervals *intervals);

/* Returns the innermost interval with the address, or NULL. */
const struct interval *intervals_find(const struct intervals *intervals, uint64_t address);

/* Returns the innermost interval around `inner` with the address, or NULL. */
const struct interval *intervals_around(const struct intervals *intervals,
					const struct interval *inner, uint64_t address);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_LAUNCHES_H
#define VIEW_RANKS_RANK_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The longest launches of all ranks. Each file has its longest ones, so the longest of all are
 * among these, whatever is merged first. Launches of one duration have the order of their files,
 * their starts and their places in the file.
 */
enum { RANK_LAUNCHES = 20 };

struct rank_launch {
	uint64_t time;	  /* nanoseconds */
	uint64_t start;	  /* nanoseconds since the epoch, by the clock of its machine; 0: unknown */
	uint64_t record;  /* its number among the records of the file, from 1 */
	uint32_t process; /* index */
	uint32_t activity; /* its number less one */
	uint32_t device;   /* number */
};

/* For qsort: the order above. Processes are in the order of their files. */
int rank_launches_order(const void *left, const void *right);

/* A list of the longest launches, in order. */
struct rank_launches {
	struct rank_launch list[RANK_LAUNCHES];
	size_t count;
};

/* Returns true if the launch belongs into the list. */
bool rank_launches_takes(const struct rank_launches *launches, const struct rank_launch *launch);

/* Puts the launch into the list if it belongs there. */
void rank_launches_put(struct rank_launches *launches, const struct rank_launch *launch);

#endif

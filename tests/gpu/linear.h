/* SPDX-License-Identifier: MIT */
#ifndef GPU_LINEAR_H
#define GPU_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Values that only the assembler knows, of rows that it has made alike: each warp of them has
 * executed BASE + STEP * rounds instructions, where BASE and STEP are whole numbers, 1 or more.
 */
enum { LINEAR_NAMES = 16 };

struct linear {
	struct linear_name {
		char name[32];
		uint64_t rounds; /* of the first row with this name */
		uint64_t each;	 /* and the instructions of each of its warps */
		uint64_t step;	 /* 0: not known yet */
	} names[LINEAR_NAMES];
	size_t count;
};

/* `wanted` is NAME:WARPS:ROUNDS. Whether the value can be that, after all those before it. */
bool linear_fits(struct linear *linear, const char *wanted, const char *value);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef GPU_LINEAR_H
#define GPU_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Values that depend on the assembler, of similar rows: each warp has executed BASE + STEP * rounds
 * instructions, where BASE and STEP are integers, 1 or more.
 */
enum { LINEAR_NAMES = 16 };

struct linear {
	struct linear_name {
		char name[32];
		uint64_t rounds; /* of the first row with this name */
		uint64_t each;	 /* and the instructions of each of its warps */
		uint64_t step;	 /* 0: unknown */
	} names[LINEAR_NAMES];
	size_t count;
};

/* `wanted` is NAME:WARPS:ROUNDS. Returns true if the value is consistent with all earlier ones. */
bool linear_fits(struct linear *linear, const char *wanted, const char *value);

#endif

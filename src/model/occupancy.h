/* SPDX-License-Identifier: MIT */
#ifndef MODEL_OCCUPANCY_H
#define MODEL_OCCUPANCY_H

#include <stdint.h>

enum { OCCUPANCY_WARP = 32 };

/* What one block (work-group) takes. */
struct occupancy_block {
	uint64_t threads;
	uint64_t registers; /* per thread */
	uint64_t shared;    /* bytes, static and dynamic */
};

/*
 * Warps resident on a multiprocessor as a part of those it has room for, 0 .. 1, when it is filled
 * with such blocks; 0 if not even one fits, if the block is empty, or if the compute capability
 * (10 * major + minor) is not in the table. Shared memory is taken at its largest configuration.
 *
 * Source: the technical specifications by compute capability of the CUDA C programming guide, and
 * the allocation units of the toolkit's occupancy calculator.
 */
float occupancy(uint32_t compute, const struct occupancy_block *block);

#endif

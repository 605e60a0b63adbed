/* SPDX-License-Identifier: MIT */
#ifndef MODEL_OCCUPANCY_H
#define MODEL_OCCUPANCY_H

#include <stdint.h>

enum { OCCUPANCY_WARP = 32 };

/*
 * The resources of one multiprocessor of a device. All members but `compute` may be 0, unknown:
 * then the table's row for the compute capability applies. A device newer than the table must
 * report all members, unless a comment says otherwise; its allocation units are taken to be those
 * of the newest known device.
 */
struct occupancy_device {
	uint32_t compute;	  /* 10 * major + minor */
	uint32_t threads;	  /* resident at a time */
	uint32_t blocks;	  /* resident at a time */
	uint32_t registers;	  /* in total */
	uint32_t block_registers; /* per block, at most */
	uint32_t shared;	  /* bytes, in the largest configuration */
	uint32_t block_shared;	  /* per block, at most; may stay 0 */
	uint32_t reserved_shared; /* bytes of each block that the driver reserves; may stay 0 */
};

/* The resources of one block (work-group). */
struct occupancy_block {
	uint64_t threads;
	uint64_t registers; /* per thread */
	uint64_t shared;    /* bytes, static and dynamic */
	/*
	 * Bytes of shared memory in the multiprocessor's configuration, of which the rest is cache.
	 * 0: unknown, and the largest is assumed. If it is too little for one block, the driver
	 * configures more.
	 */
	uint64_t shared_capacity;
};

/*
 * Returns the number of such blocks that a multiprocessor holds at a time; 0 if not even one fits,
 * if the block is empty, or if the device is unknown. The result is that of the toolkit's occupancy
 * calculator (for 2.x, of the older ones), without clusters and barriers.
 */
uint32_t occupancy_blocks(const struct occupancy_device *device,
			  const struct occupancy_block *block);

/* Returns the ratio of the blocks' warps to the most warps: 0 .. 1. */
float occupancy(const struct occupancy_device *device, const struct occupancy_block *block);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef MODEL_OCCUPANCY_H
#define MODEL_OCCUPANCY_H

#include <stdint.h>

enum { OCCUPANCY_WARP = 32 };

/*
 * What one multiprocessor of a device has. All but `compute` may be 0, "not told": the table's row
 * for the compute capability says it then. A device newer than the table has to tell all that no
 * comment excuses; in what units it gives things away is taken to be as on the newest device known.
 */
struct occupancy_device {
	uint32_t compute;	  /* 10 * major + minor */
	uint32_t threads;	  /* resident at a time */
	uint32_t blocks;	  /* resident at a time */
	uint32_t registers;	  /* in all */
	uint32_t block_registers; /* the most that one block can have */
	uint32_t shared;	  /* bytes, in the largest configuration */
	uint32_t block_shared;	  /* the most that one block can ask for; may stay 0 */
	uint32_t reserved_shared; /* bytes of each block that the driver takes; may stay 0 */
};

/* What one block (work-group) takes. */
struct occupancy_block {
	uint64_t threads;
	uint64_t registers; /* per thread */
	uint64_t shared;    /* bytes, static and dynamic */
	/*
	 * Bytes of shared memory that the multiprocessor was configured to have, the rest being
	 * cache; 0: not known, and taken to be the most. Where it is too little for one block, the
	 * driver configures more.
	 */
	uint64_t shared_capacity;
};

/*
 * How many such blocks a multiprocessor holds at a time; 0 if not even one, if the block is empty,
 * or if too little is known of the device. It is what the toolkit's occupancy calculator says (for
 * 2.x, which it no longer knows, the older ones), without regard to clusters and barriers.
 */
uint32_t occupancy_blocks(const struct occupancy_device *device,
			  const struct occupancy_block *block);

/* The same as warps, as a part of those that it has room for: 0 .. 1. */
float occupancy(const struct occupancy_device *device, const struct occupancy_block *block);

#endif

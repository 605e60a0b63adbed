/* SPDX-License-Identifier: MIT */
#ifndef TESTS_OCCUPANCY_POINTS_H
#define TESTS_OCCUPANCY_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/occupancy.h"

/*
 * Points at which computeprof's occupancy is compared with that of the CUDA toolkit's calculator,
 * the header cuda_occupancy.h. Its results for some of them are in occupancy.txt, for machines
 * without a toolkit; print_occupancy.c writes that file.
 */

enum { TABLE_POINTS = 2500 };

struct occupancy_point {
	struct occupancy_device device;
	uint32_t threads, registers, static_shared, dynamic_shared;
	/* The program's settings: the header's cudaOccCacheConfig and carveoutConfig. */
	int cache, carveout;
	/* The calculator's results: the capacity in bytes for these, and blocks. */
	uint32_t capacity, blocks;
};

/* Every device that the calculator supports, with the data of its driver. */
extern const struct occupancy_device occupancy_devices[];
extern const size_t occupancy_device_count;

/* Returns the device of a compute capability; NULL if there is none. */
const struct occupancy_device *device_of(uint32_t compute);

/* Makes a point, without results, for a random unchanged device. The numbers come from *seed: see
 * random.h. */
void make_point(struct occupancy_point *point, uint32_t *seed);

/* Replaces the device of `point` by a nonexistent one: fewer warps, more registers and so on. */
void change_device(struct occupancy_point *point, uint32_t *seed);

/* Writes or reads a line of occupancy.txt, without its end. Reading returns false for an invalid
 * line. */
void write_point(const struct occupancy_point *point, char *line, size_t size);
bool read_point(struct occupancy_point *point, const char *line);

/* Returns true if this was compiled with a toolkit's header. */
bool has_calculator(void);

/* Sets the results. Returns false if the header is of an older toolkit without the device. */
bool ask_calculator(struct occupancy_point *point);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_OCCUPANCY_POINTS_H
#define TESTS_OCCUPANCY_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/occupancy.h"

/*
 * Points at which our occupancy and that of a CUDA toolkit's own calculator, the header
 * cuda_occupancy.h, are compared. What it says at some of them is in occupancy.txt, for machines
 * without a toolkit; print_occupancy.c writes that file.
 */

enum { TABLE_POINTS = 2500 };

struct occupancy_point {
	struct occupancy_device device;
	uint32_t threads, registers, static_shared, dynamic_shared;
	/* What the program asked for: the header's cudaOccCacheConfig and carveoutConfig. */
	int cache, carveout;
	/* What the calculator says: bytes that this makes, and blocks. */
	uint32_t capacity, blocks;
};

/* Every device that the calculator knows, with what its driver tells. */
extern const struct occupancy_device occupancy_devices[];
extern const size_t occupancy_device_count;

/* The device of a compute capability; NULL if there is none. */
const struct occupancy_device *device_of(uint32_t compute);

/* A point, without answers, of any device as it is. The numbers come from *seed: see random.h. */
void make_point(struct occupancy_point *point, uint32_t *seed);

/* The device of `point` becomes one that there is not: fewer warps, more registers and the like. */
void change_device(struct occupancy_point *point, uint32_t *seed);

/* A line of occupancy.txt, without its end. False: it is none. */
void write_point(const struct occupancy_point *point, char *line, size_t size);
bool read_point(struct occupancy_point *point, const char *line);

/* Whether this was compiled with a toolkit's header. */
bool has_calculator(void);

/* Fills in the answers. False if the header is of an older toolkit and does not know the device. */
bool ask_calculator(struct occupancy_point *point);

#endif

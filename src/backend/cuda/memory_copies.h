/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MEMORY_COPIES_H
#define BACKEND_CUDA_MEMORY_COPIES_H

#include <stdbool.h>
#include <stdint.h>

/* The memory of copies with more than one dimension, from the first to the last byte. */
struct memory_part {
	uint64_t address;
	uint64_t bytes; /* 0: it is an array */
	bool partial;	/* there are other bytes in between */
};

/* Returns a box of so many bytes, rows and slices; `pitch` is the distance of rows, `height` their
 * number in a slice. */
struct memory_part memory_copies_box(uint64_t address, uint64_t width, uint64_t rows,
				     uint64_t slices, uint64_t pitch, uint64_t height);

/* Set source and target of a CUDA_MEMCPY2D or CUDA_MEMCPY3D of the driver. */
void memory_copies_2d(const void *copy, struct memory_part *from, struct memory_part *to);
void memory_copies_3d(const void *copy, struct memory_part *from, struct memory_part *to);

#endif

/* SPDX-License-Identifier: MIT */
#include "backend/cuda/memory_copies.h"

#include <string.h>

/* Source: cuda.h; tests/unit/test_memory_calls.c compares the structs with an installed one. */

enum { TYPE_HOST = 1, TYPE_ARRAY = 3 }; /* CU_MEMORYTYPE_... */

struct side_2d {
	uint64_t x; /* in bytes */
	uint64_t y;
	uint32_t type;
	uint64_t host;
	uint64_t device;
	uint64_t array;
	uint64_t pitch;
};

struct copy_2d { /* CUDA_MEMCPY2D_v2 */
	struct side_2d from, to;
	uint64_t width; /* in bytes */
	uint64_t rows;
};

struct side_3d {
	uint64_t x; /* in bytes */
	uint64_t y;
	uint64_t z;
	uint64_t lod;
	uint32_t type;
	uint64_t host;
	uint64_t device;
	uint64_t array;
	uint64_t reserved;
	uint64_t pitch;
	uint64_t height;
};

struct copy_3d { /* CUDA_MEMCPY3D_v2 */
	struct side_3d from, to;
	uint64_t width; /* in bytes */
	uint64_t rows;
	uint64_t slices;
};

struct memory_part memory_copies_box(uint64_t address, uint64_t width, uint64_t rows,
				     uint64_t slices, uint64_t pitch, uint64_t height)
{
	struct memory_part part = {.address = address};

	if (!width || !rows || !slices)
		return part;
	pitch = pitch ? pitch : width;
	height = height ? height : rows;
	part.bytes = ((slices - 1) * height + rows - 1) * pitch + width;
	part.partial = part.bytes != width * rows * slices;
	return part;
}

static uint64_t address_of(uint32_t type, uint64_t host, uint64_t device)
{
	return type == TYPE_HOST ? host : type == TYPE_ARRAY ? 0 : device;
}

static struct memory_part part_2d(const struct copy_2d *copy, const struct side_2d *side)
{
	uint64_t address = address_of(side->type, side->host, side->device);
	uint64_t pitch = side->pitch ? side->pitch : copy->width;

	return memory_copies_box(address + side->y * pitch + side->x, address ? copy->width : 0,
				 copy->rows, 1, pitch, 0);
}

void memory_copies_2d(const void *given, struct memory_part *from, struct memory_part *to)
{
	struct copy_2d copy = {.width = 0};

	if (given)
		memcpy(&copy, given, sizeof(copy));
	*from = part_2d(&copy, &copy.from);
	*to = part_2d(&copy, &copy.to);
}

static struct memory_part part_3d(const struct copy_3d *copy, const struct side_3d *side)
{
	uint64_t address = address_of(side->type, side->host, side->device);
	uint64_t pitch = side->pitch ? side->pitch : copy->width;
	uint64_t height = side->height ? side->height : copy->rows;

	return memory_copies_box(address + (side->z * height + side->y) * pitch + side->x,
				 address ? copy->width : 0, copy->rows, copy->slices, pitch,
				 height);
}

void memory_copies_3d(const void *given, struct memory_part *from, struct memory_part *to)
{
	struct copy_3d copy = {.width = 0};

	if (given)
		memcpy(&copy, given, sizeof(copy));
	*from = part_3d(&copy, &copy.from);
	*to = part_3d(&copy, &copy.to);
}

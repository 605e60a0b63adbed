/* SPDX-License-Identifier: MIT */
#include "occupancy_points.h"

#include <stdio.h>

#include "random.h"

enum { KIB = 1024 };

/*
 * Written independently of the table in src/model/occupancy.c, which is tested, from the technical
 * specifications of the programming guide.
 */
/* clang-format off */
#define DEVICE(compute, threads, blocks, registers, block_registers, shared, block, reserved) \
	{ compute, threads, blocks, registers * KIB, block_registers * KIB, shared * KIB, \
	  block * KIB, reserved * KIB }

const struct occupancy_device occupancy_devices[] = {
	DEVICE( 30, 2048, 16,  64, 64,  48,  48, 0),
	DEVICE( 32, 2048, 16,  64, 32,  48,  48, 0),
	DEVICE( 35, 2048, 16,  64, 64,  48,  48, 0),
	DEVICE( 37, 2048, 16, 128, 64, 112,  48, 0),
	DEVICE( 50, 2048, 32,  64, 64,  64,  48, 0),
	DEVICE( 52, 2048, 32,  64, 64,  96,  48, 0),
	DEVICE( 53, 2048, 32,  64, 32,  64,  48, 0),
	DEVICE( 60, 2048, 32,  64, 64,  64,  48, 0),
	DEVICE( 61, 2048, 32,  64, 64,  96,  48, 0),
	DEVICE( 62, 2048, 32,  64, 32,  64,  48, 0),
	DEVICE( 70, 2048, 32,  64, 64,  96,  96, 0),
	DEVICE( 72, 2048, 32,  64, 64,  96,  96, 0),
	DEVICE( 75, 1024, 16,  64, 64,  64,  64, 0),
	DEVICE( 80, 2048, 32,  64, 64, 164, 163, 1),
	DEVICE( 86, 1536, 16,  64, 64, 100,  99, 1),
	DEVICE( 87, 1536, 16,  64, 64, 164, 163, 1),
	DEVICE( 88, 1536, 16,  64, 64, 100,  99, 1),
	DEVICE( 89, 1536, 24,  64, 64, 100,  99, 1),
	DEVICE( 90, 2048, 32,  64, 64, 228, 227, 1),
	DEVICE(100, 2048, 32,  64, 64, 228, 227, 1),
	DEVICE(101, 1536, 24,  64, 64, 228, 227, 1),
	DEVICE(103, 2048, 32,  64, 64, 228, 227, 1),
	DEVICE(110, 1536, 24,  64, 64, 228, 227, 1),
	DEVICE(120, 1536, 24,  64, 64, 100,  99, 1),
	DEVICE(121, 1536, 24,  64, 64, 100,  99, 1),
};
/* clang-format on */

const size_t occupancy_device_count = sizeof(occupancy_devices) / sizeof(*occupancy_devices);

const struct occupancy_device *device_of(uint32_t compute)
{
	for (size_t i = 0; i < occupancy_device_count; i++)
		if (occupancy_devices[i].compute == compute)
			return &occupancy_devices[i];
	return NULL;
}

static uint32_t below(uint32_t *seed, uint32_t limit)
{
	return (random_after(seed) >> 8) % limit;
}

/* Every sixth point exceeds the threads, registers or shared memory of a block. */
static bool too_many(uint32_t *seed)
{
	return below(seed, 20) == 0;
}

/* Bytes at which one more or less often changes the result. */
static uint32_t some_shared(const struct occupancy_device *device, uint32_t *seed)
{
	uint32_t most = device->block_shared;
	uint32_t size;

	switch (below(seed, 4)) {
	case 0:
		return 0;
	case 1:
		size = below(seed, 4 * KIB);
		break;
	case 2: /* a fraction of the total: exactly that many blocks fit */
		size = (device->shared / (1 + below(seed, device->blocks)) & ~127u) -
		       device->reserved_shared;
		size += below(seed, 3) - 1;
		break;
	default:
		size = below(seed, most + 1);
	}
	if (too_many(seed))
		size = most + 1 + below(seed, 16 * KIB);
	return size;
}

void make_point(struct occupancy_point *point, uint32_t *seed)
{
	static const int carveouts[] = {-1, -1, -1, 0, 50, 100};
	uint32_t shared, carveout;

	*point = (struct occupancy_point){
		.device = occupancy_devices[below(seed, (uint32_t)occupancy_device_count)],
	};
	point->threads = 1 + below(seed, below(seed, 2) ? 1024 : 192);
	if (below(seed, 2))
		point->threads = (point->threads + 31) & ~31u;
	if (too_many(seed))
		point->threads += 1024;
	point->registers = too_many(seed) ? 257 : below(seed, below(seed, 3) ? 65 : 257);
	shared = some_shared(&point->device, seed);
	point->static_shared = below(seed, (shared > 48 * KIB ? 48 * KIB : shared) + 1);
	point->dynamic_shared = shared - point->static_shared;
	point->cache = (int)below(seed, 4);
	carveout = below(seed, 2 * sizeof(carveouts) / sizeof(*carveouts));
	point->carveout = carveout < sizeof(carveouts) / sizeof(*carveouts) ?
				  carveouts[carveout] :
				  (int)below(seed, 101);
}

void change_device(struct occupancy_point *point, uint32_t *seed)
{
	struct occupancy_device *device = &point->device;

	device->threads = 32 * (1 + below(seed, 64));
	device->registers = 4 * KIB * (1 + below(seed, 32));
	device->block_registers = device->registers - below(seed, 4 * KIB);
	if (device->compute >= 80)
		device->reserved_shared = 1 + below(seed, 2 * KIB);
	/* A size that all of those support: the calculator refuses others. */
	if (device->shared > 132 * KIB && below(seed, 2))
		device->shared = 132 * KIB;
	device->block_shared = KIB + below(seed, device->shared - 4 * KIB);
}

#define COLUMNS "%u %u %u %u %u %d %d %u %u"

void write_point(const struct occupancy_point *point, char *line, size_t size)
{
	snprintf(line, size, COLUMNS, point->device.compute, point->threads, point->registers,
		 point->static_shared, point->dynamic_shared, point->cache, point->carveout,
		 point->capacity, point->blocks);
}

bool read_point(struct occupancy_point *point, const char *line)
{
	const struct occupancy_device *device;
	uint32_t compute;

	if (sscanf(line, COLUMNS, &compute, &point->threads, &point->registers,
		   &point->static_shared, &point->dynamic_shared, &point->cache, &point->carveout,
		   &point->capacity, &point->blocks) != 9)
		return false;
	device = device_of(compute);
	if (device)
		point->device = *device;
	return device;
}

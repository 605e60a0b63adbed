/* SPDX-License-Identifier: MIT */
#include "model/occupancy.h"

#include <stdbool.h>
#include <stddef.h>

enum { KIB = 1024, BLOCK_THREADS = 1024 };

/*
 * The multiprocessors of a compute capability and later ones up to the next row. From the technical
 * specifications in the CUDA C programming guide; units, steps and partitions are those of the
 * toolkit's occupancy calculator. The last row is for future devices, which must report the members
 * that are 0.
 */
struct row {
	uint16_t compute; /* 10 * major + minor */
	uint16_t warps;
	uint16_t blocks;
	uint16_t partitions;	   /* number of register files that share the warps */
	uint16_t assumed;	   /* the same number, for the check of a block's registers */
	uint32_t registers;	   /* in total */
	uint32_t block_registers;  /* per block, at most */
	uint16_t register_unit;	   /* registers are allocated to warps in multiples of it */
	uint16_t thread_registers; /* per thread, at most */
	uint16_t shared;	   /* KiB, at most */
	uint16_t least_shared;	   /* KiB, in the configuration with the largest cache */
	uint16_t block_shared;	   /* KiB, for one block; 0: all but the reserve */
	uint16_t shared_unit;	   /* bytes are allocated to blocks in multiples of it */
	uint16_t reserved_shared;  /* KiB of each block that the driver reserves */
};

/* clang-format off */
static const struct row table[] = {
	/*                                registers:                 shared memory:
	 *     warps blocks parts assumed in all  block  unit thread most least block unit kept */
	{ 20,  48,   8,     2,    2,      32768,  32768, 64,  63,    48,  16,   48,   128, 0 },
	{ 30,  64,   16,    4,    4,      65536,  65536, 256, 255,   48,  16,   48,   256, 0 },
	{ 32,  64,   16,    4,    4,      65536,  32768, 256, 255,   48,  16,   48,   256, 0 },
	{ 35,  64,   16,    4,    4,      65536,  65536, 256, 255,   48,  16,   48,   256, 0 },
	{ 37,  64,   16,    4,    4,      131072, 65536, 256, 255,   112, 80,   48,   256, 0 },
	{ 50,  64,   32,    4,    4,      65536,  65536, 256, 255,   64,  64,   48,   256, 0 },
	{ 52,  64,   32,    4,    4,      65536,  65536, 256, 255,   96,  96,   48,   256, 0 },
	{ 53,  64,   32,    4,    4,      65536,  32768, 256, 255,   64,  64,   48,   256, 0 },
	/* A block that does not fit on 6.1 does not fit on 6.0 either. */
	{ 60,  64,   32,    2,    4,      65536,  65536, 256, 255,   64,  64,   48,   256, 0 },
	{ 61,  64,   32,    4,    4,      65536,  65536, 256, 255,   96,  96,   48,   256, 0 },
	{ 62,  64,   32,    4,    4,      65536,  32768, 256, 255,   64,  64,   48,   256, 0 },
	{ 70,  64,   32,    4,    4,      65536,  65536, 256, 256,   96,  8,    0,    256, 0 },
	{ 75,  32,   16,    4,    4,      65536,  65536, 256, 256,   64,  32,   0,    256, 0 },
	{ 80,  64,   32,    4,    4,      65536,  65536, 256, 256,   164, 8,    0,    128, 1 },
	{ 86,  48,   16,    4,    4,      65536,  65536, 256, 256,   100, 8,    0,    128, 1 },
	{ 87,  48,   16,    4,    4,      65536,  65536, 256, 256,   164, 8,    0,    128, 1 },
	{ 88,  48,   16,    4,    4,      65536,  65536, 256, 256,   100, 8,    0,    128, 1 },
	{ 89,  48,   24,    4,    4,      65536,  65536, 256, 256,   100, 8,    0,    128, 1 },
	{ 90,  64,   32,    4,    4,      65536,  65536, 256, 256,   228, 8,    0,    128, 1 },
	{ 101, 48,   24,    4,    4,      65536,  65536, 256, 256,   228, 8,    0,    128, 1 },
	{ 103, 64,   32,    4,    4,      65536,  65536, 256, 256,   228, 8,    0,    128, 1 },
	{ 110, 48,   24,    4,    4,      65536,  65536, 256, 256,   228, 8,    0,    128, 1 },
	{ 120, 48,   24,    4,    4,      65536,  65536, 256, 256,   100, 8,    0,    128, 1 },
	{ 130, 0,    0,     4,    4,      0,      0,     256, 256,   0,   8,    0,    128, 1 },
};
/* clang-format on */

/* The configurable sizes of a multiprocessor's shared memory in KiB, since 7.0. */
static const uint16_t steps[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};

/* The limits of the row, replaced by those that the device reports. */
struct limits {
	const struct row *row;
	uint32_t warps, blocks, registers, block_registers;
	uint32_t shared, block_shared, reserved_shared; /* bytes */
};

static uint32_t value_or(uint32_t value, uint32_t otherwise)
{
	return value ? value : otherwise;
}

/* False if not enough is known. */
static bool find_limits(struct limits *limits, const struct occupancy_device *device)
{
	const struct row *row = table + sizeof(table) / sizeof(*table) - 1;

	while (row > table && row->compute > device->compute)
		row--;
	if (row->compute > device->compute)
		return false;
	*limits = (struct limits){
		.row = row,
		.warps = value_or(device->threads / OCCUPANCY_WARP, row->warps),
		.blocks = value_or(device->blocks, row->blocks),
		.registers = value_or(device->registers, row->registers),
		.block_registers = value_or(device->block_registers, row->block_registers),
		.shared = value_or(device->shared, row->shared * KIB),
		.block_shared = value_or(device->block_shared, row->block_shared * KIB),
		.reserved_shared = value_or(device->reserved_shared, row->reserved_shared * KIB),
	};
	return limits->warps && limits->blocks && limits->registers && limits->block_registers &&
	       limits->shared;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) / unit * unit;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t warp_registers(const struct limits *limits, uint64_t registers)
{
	uint64_t unit = limits->row->register_unit;

	/* The older calculators have this rule for 2.x without a reason. */
	if (limits->row->compute < 30 && registers > 20 && registers < 47 &&
	    (registers % 8 == 5 || registers % 8 == 6))
		unit *= 2;
	return round_up(registers * OCCUPANCY_WARP, unit);
}

/* Returns the number of blocks for which the registers suffice. */
static uint64_t by_registers(const struct limits *limits, uint64_t warps, uint64_t registers)
{
	uint64_t size, partition_warps;

	if (!registers)
		return limits->blocks;
	if (registers > limits->row->thread_registers)
		return 0;
	size = warp_registers(limits, registers);
	/* The hardware assumes that one block's warps are spread evenly when it checks the
	 * limit. */
	if (round_up(warps, limits->row->assumed) * size > limits->block_registers)
		return 0;
	partition_warps = limits->registers / limits->row->partitions / size;
	return partition_warps * limits->row->partitions / warps;
}

/* Returns the shared memory in bytes while blocks run that need `needed` each. */
static uint64_t capacity(const struct limits *limits, uint64_t configured, uint64_t needed)
{
	if (!configured)
		return limits->shared;
	configured = most(configured, limits->row->least_shared * KIB);
	if (limits->row->compute < 70)
		return configured < needed ? limits->shared : least(configured, limits->shared);
	configured = most(configured, needed);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (configured <= steps[i] * KIB)
			return least(steps[i] * KIB, limits->shared);
	return limits->shared;
}

/* Returns the number of blocks for which the shared memory suffices. */
static uint64_t by_shared(const struct limits *limits, const struct occupancy_block *block)
{
	uint64_t reserved = limits->reserved_shared;
	uint64_t limit = limits->block_shared ? limits->block_shared + reserved : limits->shared;
	uint64_t needed;

	if (block->shared > limits->shared)
		return 0;
	needed = round_up(block->shared + reserved, limits->row->shared_unit);
	if (needed > limit)
		return 0;
	return needed ? capacity(limits, block->shared_capacity, needed) / needed : limits->blocks;
}

static uint64_t count_blocks(const struct limits *limits, const struct occupancy_block *block,
			     uint64_t warps)
{
	uint64_t blocks;

	if (!warps || block->threads > BLOCK_THREADS)
		return 0;
	blocks = least(limits->blocks, limits->warps / warps);
	blocks = least(blocks, by_registers(limits, warps, block->registers));
	return least(blocks, by_shared(limits, block));
}

static uint64_t warps_of(const struct occupancy_block *block)
{
	return block->threads / OCCUPANCY_WARP + (block->threads % OCCUPANCY_WARP != 0);
}

uint32_t occupancy_blocks(const struct occupancy_device *device,
			  const struct occupancy_block *block)
{
	struct limits limits;

	if (!find_limits(&limits, device))
		return 0;
	return (uint32_t)count_blocks(&limits, block, warps_of(block));
}

float occupancy(const struct occupancy_device *device, const struct occupancy_block *block)
{
	uint64_t warps = warps_of(block);
	struct limits limits;

	if (!find_limits(&limits, device))
		return 0;
	return (float)(count_blocks(&limits, block, warps) * warps) / (float)limits.warps;
}

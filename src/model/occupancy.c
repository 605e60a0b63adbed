/* SPDX-License-Identifier: MIT */
#include "model/occupancy.h"

#include <stddef.h>

/* Limits of one multiprocessor. */
struct limits {
	uint16_t compute; /* 10 * major + minor; a row holds up to the next row's */
	uint16_t warps;
	uint16_t blocks;
	uint16_t partitions;	 /* warps are spread over so many register files */
	uint32_t registers;	 /* in all */
	uint32_t register_unit;	 /* registers are given to warps in multiples of it */
	uint32_t thread_registers; /* the most that one thread can have */
	uint32_t shared;	 /* bytes in all */
	uint32_t shared_unit;	 /* bytes are given to blocks in multiples of it */
	uint32_t shared_reserved; /* bytes of each block that the driver takes */
};

enum { KIB = 1024 };

/* clang-format off */
static const struct limits table[] = {
	/* compute warps blocks partitions registers unit thread shared    unit reserved */
	{  20,     48,   8,     2,         32768,    64,  63,   48 * KIB,  128, 0 },
	{  30,     64,   16,    4,         65536,    256, 63,   48 * KIB,  256, 0 },
	{  35,     64,   16,    4,         65536,    256, 255,  48 * KIB,  256, 0 },
	{  37,     64,   16,    4,         131072,   256, 255,  112 * KIB, 256, 0 },
	{  50,     64,   32,    4,         65536,    256, 255,  64 * KIB,  256, 0 },
	{  52,     64,   32,    4,         65536,    256, 255,  96 * KIB,  256, 0 },
	{  53,     64,   32,    4,         65536,    256, 255,  64 * KIB,  256, 0 },
	{  60,     64,   32,    2,         65536,    256, 255,  64 * KIB,  256, 0 },
	{  61,     64,   32,    4,         65536,    256, 255,  96 * KIB,  256, 0 },
	{  62,     64,   32,    4,         65536,    256, 255,  64 * KIB,  256, 0 },
	{  70,     64,   32,    4,         65536,    256, 255,  96 * KIB,  256, 0 },
	{  75,     32,   16,    4,         65536,    256, 255,  64 * KIB,  256, 0 },
	{  80,     64,   32,    4,         65536,    256, 255,  164 * KIB, 128, KIB },
	{  86,     48,   16,    4,         65536,    256, 255,  100 * KIB, 128, KIB },
	{  87,     48,   16,    4,         65536,    256, 255,  164 * KIB, 128, KIB },
	{  89,     48,   24,    4,         65536,    256, 255,  100 * KIB, 128, KIB },
	{  90,     64,   32,    4,         65536,    256, 255,  228 * KIB, 128, KIB },
	{  101,    48,   24,    4,         65536,    256, 255,  228 * KIB, 128, KIB },
	{  103,    64,   32,    4,         65536,    256, 255,  228 * KIB, 128, KIB },
	{  110,    48,   24,    4,         65536,    256, 255,  228 * KIB, 128, KIB },
	{  120,    48,   24,    4,         65536,    256, 255,  100 * KIB, 128, KIB },
	{  130,    0,    0,     0,         0,        0,   0,    0,         0,   0 },
};
/* clang-format on */

static const struct limits *limits_of(uint32_t compute)
{
	size_t rows = sizeof(table) / sizeof(*table);

	for (size_t i = 0; i + 1 < rows; i++)
		if (compute >= table[i].compute && compute < table[i + 1].compute)
			return &table[i];
	return NULL;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) / unit * unit;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Blocks that the registers are enough for. */
static uint64_t by_registers(const struct limits *limits, uint64_t warps, uint64_t registers)
{
	uint64_t warp_registers, partition_warps;

	if (!registers)
		return limits->blocks;
	warp_registers = round_up(registers * OCCUPANCY_WARP, limits->register_unit);
	partition_warps = limits->registers / limits->partitions / warp_registers;
	return partition_warps * limits->partitions / round_up(warps, limits->partitions);
}

static uint64_t by_shared(const struct limits *limits, uint64_t shared)
{
	shared = round_up(shared + limits->shared_reserved, limits->shared_unit);
	return shared ? limits->shared / shared : limits->blocks;
}

float occupancy(uint32_t compute, const struct occupancy_block *block)
{
	const struct limits *limits = limits_of(compute);
	uint64_t warps = (block->threads + OCCUPANCY_WARP - 1) / OCCUPANCY_WARP, blocks;

	if (!limits || !warps || warps > limits->warps ||
	    block->registers > limits->thread_registers)
		return 0;
	blocks = least(limits->blocks, limits->warps / warps);
	blocks = least(blocks, by_registers(limits, warps, block->registers));
	blocks = least(blocks, by_shared(limits, block->shared));
	return (float)(blocks * warps) / (float)limits->warps;
}

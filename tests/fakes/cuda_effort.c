/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cuda_driver.h"

/*
 * The counter values of kernels. Each warp executes BASE instructions; each warp in which a thread
 * has work executes WORK more, with the loads and stores of global memory in the kernel's text.
 * Thread x of the grid has work if x < count. All words have 32 bits and are adjacent, starting at
 * a multiple of 32; only `copy` loads distant words.
 *
 *	fill(data, value, count)	BASE 8, WORK 4: a store
 *	add(data, other, count)		BASE 8, WORK 7: two loads, a store
 *	copy(to, from, stride)		BASE 10, no count: to[x] = from[x * stride]
 *	loop(result, rounds)		BASE 10 + 3 * rounds, a store
 *	spin(result, cycles)		BASE 10, a store for each block
 *	fixed, moving			BASE 12, a store, and a store and a load of shared memory
 *	others				BASE 2
 *
 * A quarter of the instructions are branches; one diverges in each warp of which only some threads
 * have work.
 */
enum { WARP = 32, WORDS_OF_SECTOR = 8 };

static const struct cost {
	const char *name;
	unsigned base;
	unsigned work;
	unsigned loads;
	unsigned stores;
	bool counts; /* its third argument is `count` */
	bool shared;
	bool once; /* one thread of a block stores */
} costs[] = {
	{.name = "fill", .base = 8, .work = 4, .stores = 1, .counts = true},
	{.name = "add", .base = 8, .work = 7, .loads = 2, .stores = 1, .counts = true},
	{.name = "copy", .base = 10, .loads = 1, .stores = 1},
	{.name = "loop", .base = 10, .stores = 1},
	{.name = "spin", .base = 10, .once = true},
	{.name = "fixed", .base = 12, .stores = 1, .shared = true},
	{.name = "moving", .base = 12, .stores = 1, .shared = true},
	{.name = NULL, .base = 2},
};

/* Sums over the warps of a block. */
struct lane_sums {
	uint64_t working; /* warps with a thread that has work */
	uint64_t mixed;	  /* and with a thread that has none */
	uint64_t sectors; /* of words at consecutive addresses */
	uint64_t apart;	  /* the same with the stride */
};

static unsigned count_sectors(const uint64_t *words, unsigned count)
{
	unsigned sectors = 0;

	for (unsigned i = 0; i < count; i++) {
		unsigned before = 0;

		while (before < i && words[before] / WORDS_OF_SECTOR != words[i] / WORDS_OF_SECTOR)
			before++;
		sectors += before == i;
	}
	return sectors;
}

static void add_warp(const struct command *command, uint64_t block, unsigned warp, uint64_t limit,
		     uint64_t stride, struct lane_sums *sums)
{
	unsigned all = command->block[0] * command->block[1] * command->block[2];
	uint64_t near[WARP], far[WARP];
	unsigned active = 0, lanes = 0;

	for (unsigned lane = warp * WARP; lane < all && lanes < WARP; lane++, lanes++) {
		uint64_t x = block * command->block[0] + lane % command->block[0];

		if (x >= limit)
			continue;
		near[active] = x;
		far[active++] = x * stride;
	}
	sums->working += active != 0;
	sums->mixed += active && active < lanes;
	sums->sectors += count_sectors(near, active);
	sums->apart += count_sectors(far, active);
}

/* Sums over a row of blocks. Blocks whose threads all have work equal the first one, if their first
 * words start sectors. */
static struct lane_sums sum_row(const struct command *command, uint64_t limit, uint64_t stride)
{
	unsigned width = command->block[0];
	unsigned warps = (width * command->block[1] * command->block[2] + WARP - 1) / WARP;
	bool alike = width % WORDS_OF_SECTOR == 0;
	struct lane_sums sums = {0}, first = {0};

	for (uint64_t block = 0; block < command->grid[0]; block++) {
		struct lane_sums this = {0};

		if (block && alike && (block + 1) * width <= limit)
			this = first;
		else
			for (unsigned warp = 0; warp < warps && block * width < limit; warp++)
				add_warp(command, block, warp, limit, stride, &this);
		if (!block)
			first = this;
		sums.working += this.working;
		sums.mixed += this.mixed;
		sums.sectors += this.sectors;
		sums.apart += this.apart;
	}
	return sums;
}

static const struct cost *find_cost(const char *name)
{
	const struct cost *cost = costs;

	while (cost->name && strcmp(cost->name, name) != 0)
		cost++;
	return cost;
}

void effort_of(const struct work *work, struct effort *effort)
{
	const struct command *command = &work->command;
	const struct cost *cost = find_cost(work->function->name);
	const uint64_t *arguments = work->arguments;
	bool counts = cost->counts && work->has_arguments;
	bool is_copy = cost->loads && !cost->counts;
	bool is_loop = cost->name && !strcmp(cost->name, "loop");
	uint64_t rows = (uint64_t)command->grid[1] * command->grid[2];
	struct lane_sums sums;

	effort->blocks = command->grid[0] * rows;
	effort->threads = command->block[0] * command->block[1] * command->block[2];
	effort->warps = (effort->threads + WARP - 1) / WARP * effort->blocks;
	effort->threads *= effort->blocks;
	effort->instructions = effort->warps * (cost->base + (is_loop ? 3 * arguments[1] : 0));
	if (!cost->name)
		return;
	sums = sum_row(command, counts ? arguments[2] : UINT64_MAX, is_copy ? arguments[2] : 1);
	effort->instructions += cost->work * sums.working * rows;
	effort->loads = cost->loads * sums.working * rows;
	effort->stores = cost->stores * sums.working * rows;
	effort->load_sectors = cost->loads * (is_copy ? sums.apart : sums.sectors) * rows;
	effort->store_sectors = cost->stores * sums.sectors * rows;
	if (cost->once)
		effort->stores = effort->store_sectors = effort->blocks;
	effort->shared_loads = cost->shared ? effort->warps : 0;
	effort->shared_stores = effort->shared_loads;
	effort->branches = effort->instructions / 4;
	effort->divergent = sums.mixed * rows;
}

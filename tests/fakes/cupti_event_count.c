/* SPDX-License-Identifier: MIT */
#include "cupti_event.h"

/*
 * The counter values of a kernel on each instance of a domain.
 *
 * Block number B of a kernel runs on multiprocessor B modulo 9, and on number 0 if that is 8: so
 * number 0 has more work than the others. The values of the whole kernel (cuda_effort.c) are
 * distributed like its blocks; events without a known quantity count NUMBER for each warp.
 *
 * The instances of the multiprocessors' domains are theirs; slice S of the L2 cache has the
 * multiprocessors S, S + 2, S + 4, ..., and the device has them all.
 */
enum { DEAL = 9 };

static uint64_t whole(const struct event_row *event, const struct effort *effort)
{
	switch (event->quantity) {
	case BLOCKS:
		return effort->blocks;
	case WARPS:
		return effort->warps;
	case THREADS:
		return effort->threads;
	case INSTRUCTIONS:
		return effort->instructions;
	case BRANCHES:
		return effort->branches;
	case DIVERGENT:
		return effort->divergent;
	case LOADS:
		return effort->loads;
	case STORES:
		return effort->stores;
	case SHARED_LOADS:
		return effort->shared_loads;
	case SHARED_STORES:
		return effort->shared_stores;
	case NOTHING:
		return 0;
	case OTHER:
		break;
	}
	return effort->warps * event->number;
}

static uint64_t blocks_on(uint64_t blocks, unsigned multiprocessor)
{
	uint64_t on = blocks / DEAL + (multiprocessor < blocks % DEAL);

	return multiprocessor ? on : on + blocks / DEAL;
}

void event_count(const struct event_row *event, const struct command *kernel, uint64_t *values)
{
	uint64_t sum = whole(event, &kernel->effort), blocks = kernel->effort.blocks;
	uint64_t before = 0, dealt = 0;

	for (unsigned i = 0; i < MULTIPROCESSORS && blocks; i++) {
		uint64_t until;

		before += blocks_on(blocks, i);
		until = (uint64_t)((double)sum * (double)before / (double)blocks);
		if (i == MULTIPROCESSORS - 1)
			until = sum;
		values[i % event->domain->instances] += until - dealt;
		dealt = until;
	}
}

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BENCH_FAKE_H
#define TESTS_BENCH_FAKE_H

#include "model/record.h"

/* A back end without a driver: makes records of kernels with times on a device. */

/* The data of a kernel that an enqueue's wrapper knows. */
static inline void fake_launch(struct record *record, uint32_t name)
{
	record->handle = 1;
	record->grid[0] = 64;
	record->grid[1] = record->grid[2] = 1;
	record->block[0] = 256;
	record->block[1] = record->block[2] = 1;
	record->name = name;
	record->occupancy = 0.75F;
	record->known = KNOWN_GRID | KNOWN_BLOCK | KNOWN_OCCUPANCY | KNOWN_STREAM;
}

/* A source's poll: the command is complete. */
static inline int fake_poll(struct record *record)
{
	record->queued = UINT64_C(1700000000000000000) + record->enter;
	record->submitted = record->queued + 1500;
	record->started = record->queued + 2500;
	record->ended = record->started + 1000 + record->frame.correlation % 9999;
	record->known |= KNOWN_TIMES;
	record->handle = 0;
	return 1;
}

static inline void fake_release(struct record *record)
{
	record->handle = 0;
}

#endif

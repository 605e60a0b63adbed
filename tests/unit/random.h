/* SPDX-License-Identifier: MIT */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdint.h>

/* The same numbers in each run (xorshift32). */

#define RANDOM_INIT 2463534242u

/* Replaces *number, which is not 0, by its successor and returns it. */
static inline uint32_t random_after(uint32_t *number)
{
	*number ^= *number << 13;
	*number ^= *number >> 17;
	*number ^= *number << 5;
	return *number;
}

static inline uint32_t next_random(void)
{
	static uint32_t number = RANDOM_INIT;

	return random_after(&number);
}

#endif

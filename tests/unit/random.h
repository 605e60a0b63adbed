/* SPDX-License-Identifier: MIT */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdint.h>

/* The same numbers in each run (xorshift32). */
static inline uint32_t next_random(void)
{
	static uint32_t number = 2463534242;

	number ^= number << 13;
	number ^= number >> 17;
	number ^= number << 5;
	return number;
}

#endif

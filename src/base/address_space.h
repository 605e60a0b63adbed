/* SPDX-License-Identifier: MIT */
#ifndef BASE_ADDRESS_SPACE_H
#define BASE_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Address space for memory that the profiler can do without. With a limit (RLIMIT_AS) it gets at
 * most an eighth of what would be left without it: the program and its driver need the rest.
 */

/* Call before such memory is allocated. Returns false if it must not be: the limit is too near, or
 * the size of the process cannot be read. */
bool address_space_take(uint64_t bytes);

/* Call after it has been freed, or could not be allocated. */
void address_space_give(uint64_t bytes);

#endif

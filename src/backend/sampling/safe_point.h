/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_SAMPLING_SAFE_POINT_H
#define BACKEND_SAMPLING_SAFE_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether a signal handler may allocate and create threads: the code that it has interrupted is in
 * no function of the C library, the dynamic linker, the allocator or this library, so it holds none
 * of their locks.
 */

/* Looks these libraries up. Call before the first signal. */
void safe_point_init(void);

/* `frames`: a call stack, the innermost frame first. The C library's functions that call main() are
 * at its end; a stack without them may lack others, and is not safe. */
bool safe_point_is(const uintptr_t *frames, size_t count);

/* The same for all frames of the code that a signal handler has interrupted. `context`: the third
 * argument of the handler. */
bool safe_point_is_at(const void *context);

#endif

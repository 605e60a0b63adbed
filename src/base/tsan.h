/* SPDX-License-Identifier: MIT */
#ifndef BASE_TSAN_H
#define BASE_TSAN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A program built with the thread sanitizer does not see what this library's threads hand to each
 * other by atomics, since the library is not instrumented: the sanitizer would report races of the
 * driver's, and change the exit code. So its runtime is told. All that a thread did before its
 * release is seen by a thread that acquires the same address later. Both are NULL in a program
 * without that runtime. Source: compiler-rt, sanitizer/tsan_interface.h.
 */
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

static inline bool tsan_is_here(void)
{
	return __builtin_expect(__tsan_release != NULL, false);
}

static inline void tsan_release(void *address)
{
	if (tsan_is_here())
		__tsan_release(address);
}

static inline void tsan_acquire(void *address)
{
	if (tsan_is_here())
		__tsan_acquire(address);
}

#endif

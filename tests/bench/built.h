/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BENCH_BUILT_H
#define TESTS_BENCH_BUILT_H

#include <gnu/libc-version.h>
#include <stdio.h>

#if defined(__x86_64__) && defined(__OPTIMIZE__)
#define BUILT_FOR "optimized for x86_64"
#else
#define BUILT_FOR "other"
#endif

/* Prints the build properties that the number of instructions depends on: a baseline has the same
 * line. */
static inline void built_print(void)
{
	printf("%s, glibc %s, " BUILT_FOR "\n", __VERSION__, gnu_get_libc_version());
}

#endif

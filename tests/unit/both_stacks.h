/* SPDX-License-Identifier: MIT */
#ifndef TEST_BOTH_STACKS_H
#define TEST_BOTH_STACKS_H

/* Stacks by the walker and by backtrace(), for the tests that compare them. Include it after
 * cmocka.h. */
#include <stdbool.h>
#include <string.h>

#if defined(__GLIBC__)
#include <execinfo.h>
#else
static inline int backtrace(void **to, int most)
{
	(void)to;
	(void)most;
	return 0;
}
#endif

#include "base/unwind.h"

enum { MOST = 600 };

#if __has_attribute(noclone)
#define ALONE __attribute__((noinline, noclone))
#else
#define ALONE __attribute__((noinline))
#endif

/* What one walk has found, and what backtrace() finds at the same place. */
struct both {
	uintptr_t own[MOST];
	void *theirs[MOST];
	size_t own_count;
	int first;
	int their_count;
};

/* Returns true if the own stack is the end of theirs. */
static inline bool same(struct both *stacks)
{
	size_t count = stacks->own_count;

	stacks->first = 0;
	while (stacks->first < stacks->their_count &&
	       (uintptr_t)stacks->theirs[stacks->first] != stacks->own[0])
		stacks->first++;
	if ((size_t)(stacks->their_count - stacks->first) != count)
		return false;
	return !memcmp(stacks->theirs + stacks->first, stacks->own, count * sizeof(uintptr_t));
}

static inline void show(const struct both *stacks)
{
	for (size_t i = 0; i < stacks->own_count; i++)
		print_error("own    %zu %p\n", i, (void *)stacks->own[i]);
	for (int i = 0; i < stacks->their_count; i++)
		print_error("theirs %d %p\n", i, stacks->theirs[i]);
}

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SWEEPS_FAILING_H
#define TESTS_SWEEPS_FAILING_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * A library that is loaded before the profiler's and stands between it and libc: it counts the
 * profiler's calls that enter the kernel or ask for memory, and makes the one fail that it is told
 * to. Calls of the program, of the driver and of libc itself are none of its business. What to do
 * and what was done stand in the file that the environment variable FAILING names, in shared
 * memory.
 */
enum call_kind { CALL_SYSTEM = 1, CALL_MEMORY = 2, CALL_BOTH = 3 };

enum { CALLS = 8192, SHORT_WRITE = -1 };

struct call {
	char name[24];
	uint64_t site; /* where it returns to in the profiler's library */
};

struct failing {
	uint32_t kinds;	 /* enum call_kind: which calls count */
	uint32_t number; /* of the call that fails, from 1; 0: none */
	int32_t error;	 /* with this; or SHORT_WRITE: half of what is written is */
	uint32_t ever;	 /* and so do all after it */
	_Atomic uint32_t count; /* calls so far */
	_Atomic uint32_t failed;
	struct call calls[CALLS];
};

#endif

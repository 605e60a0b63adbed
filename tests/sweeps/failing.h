/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SWEEPS_FAILING_H
#define TESTS_SWEEPS_FAILING_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * A preloaded library between the profiler's library and libc: it counts the profiler's calls that
 * enter the kernel or allocate memory, and makes the requested ones fail. Calls of the program, of
 * the driver and of libc itself are not changed. The request and the counts are in shared memory,
 * in the file that the environment variable FAILING names.
 */
enum call_kind { CALL_SYSTEM = 1, CALL_MEMORY = 2, CALL_BOTH = 3 };

enum { CALLS = 8192, SHORT_WRITE = -1 };

struct call {
	char name[24];
	uint64_t site; /* its return address in the profiler's library */
};

struct failing {
	uint32_t kinds;	 /* enum call_kind: the calls that are counted */
	uint32_t number; /* of the call that fails, from 1; 0: none */
	int32_t error;	 /* its error; or SHORT_WRITE: half of the bytes are written */
	uint32_t ever;	 /* and all calls after it */
	_Atomic uint32_t count; /* calls so far */
	_Atomic uint32_t failed;
	struct call calls[CALLS];
};

#endif

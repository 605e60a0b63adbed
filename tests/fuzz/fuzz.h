/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "config.h"

/*
 * A fuzz target accepts any bytes and checks the guarantees of the code under test, not only that
 * it does not crash. libFuzzer calls it (entry.c), or replay.c with known inputs. It runs on a
 * simulated machine, see machine.h.
 */
#define TARGET(name) void fuzz_##name(const uint8_t *data, size_t size);
#include "targets.def"
#undef TARGET

/* Ends the process if the condition is false: the input is then a finding. */
#define CHECK(condition)                                                                           \
	((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))

static inline _Noreturn void fuzz_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: it does not hold that %s\n", file, line, condition);
	abort();
}

/* Calls `fuzz` with the bytes on a new machine. */
void fuzz_run(void (*fuzz)(const uint8_t *data, size_t size), const uint8_t *data, size_t size);

/* Calls `take` with each seed of the target that is not text, and its name. */
void fuzz_seeds(const char *target, void (*take)(void *argument, const char *name,
						 const void *bytes, size_t size),
		void *argument);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "config.h"

/*
 * A fuzz target takes any bytes and checks what the code under test promises for them, which is
 * more than that it does not crash. libFuzzer calls it (entry.c), or replay.c with inputs that are
 * known. It runs on a machine of its own, see machine.h.
 */
#define TARGET(name) void fuzz_##name(const uint8_t *data, size_t size);
#include "targets.def"
#undef TARGET

/* Ends the process if the condition does not hold: the input is a finding then. */
#define CHECK(condition)                                                                           \
	((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))

static inline _Noreturn void fuzz_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: it does not hold that %s\n", file, line, condition);
	abort();
}

/* Calls `fuzz` with the bytes, with a new machine around it. */
void fuzz_run(void (*fuzz)(const uint8_t *data, size_t size), const uint8_t *data, size_t size);

/* Seeds that are not text: calls `take` with each that the target has, and a name for it. */
void fuzz_seeds(const char *target, void (*take)(void *argument, const char *name,
						 const void *bytes, size_t size),
		void *argument);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_EMULATOR_H
#define TESTS_EMULATOR_H

#include <stdio.h>
#include <stdlib.h>

/* Skips the present test, of cmocka, if QEMU runs it (tests/cross/emulated): `what` is different
 * there than in the kernel. */
static inline void skip_emulated(const char *what)
{
	if (!getenv("COMPUTEPROF_EMULATED"))
		return;
	printf("# QEMU: %s\n", what);
	skip();
}

#endif

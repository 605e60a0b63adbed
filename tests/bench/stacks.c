/* SPDX-License-Identifier: MIT */
/*
 * What a call stack costs a launch: stacks_here at a depth of 27 frames.
 *
 *	stacks COUNT
 *
 * Prints the nanoseconds of the first one, and of one in the fastest hundredth of COUNT.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "session/session.h"
#include "session/stacks.h"

enum { PARTS = 100, DEPTH = 20 /* of 27 frames */ };

static const struct source source;
static volatile uint32_t last;

static __attribute__((noinline)) void hot_stacks(long count)
{
	for (long i = 0; i < count; i++)
		last = stacks_here();
}

static void measure(long count)
{
	uint64_t best = UINT64_MAX, began = clock_monotonic(), took;

	last = stacks_here();
	printf("first %llu\n", (unsigned long long)(clock_monotonic() - began));
	for (int part = 0; part < PARTS; part++) {
		began = clock_monotonic();
		hot_stacks(count / PARTS);
		took = clock_monotonic() - began;
		best = took < best ? took : best;
	}
	printf("warm %.1f\n", (double)best / (double)(count / PARTS));
}

static __attribute__((noinline)) void descend(int depth, long count)
{
	if (depth)
		descend(depth - 1, count);
	else
		measure(count);
	last++;
}

int main(int argc, char **argv)
{
	static char log[] = "log", trace[] = "trace";
	static struct settings settings = {.enabled = true,
					   .layout.api = API_OPENCL,
					   .log = log,
					   .trace = trace,
					   .stacks = true};
	long count = argc == 2 ? atol(argv[1]) : 0;

	if (count < PARTS) {
		fprintf(stderr, "usage: stacks COUNT, at least %d\n", PARTS);
		return EXIT_FAILURE;
	}
	if (session_attach(API_OPENCL, &settings, &source))
		return EXIT_FAILURE;
	descend(DEPTH, count);
	return last ? EXIT_SUCCESS : EXIT_FAILURE;
}

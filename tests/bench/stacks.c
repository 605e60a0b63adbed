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
#include "stack_bench.h"

enum { DEPTH = 20 /* of 27 frames */ };

static const struct source source;
static volatile uint32_t last;

static __attribute__((noinline)) void hot_stacks(long count)
{
	for (long i = 0; i < count; i++)
		last = stacks_here();
}

static __attribute__((noinline)) void descend(int depth, long count)
{
	if (depth)
		descend(depth - 1, count);
	else
		stack_bench(hot_stacks, count);
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

	if (count < STACK_BENCH_PARTS) {
		fprintf(stderr, "usage: stacks COUNT, at least %d\n", STACK_BENCH_PARTS);
		return EXIT_FAILURE;
	}
	if (session_attach(API_OPENCL, &settings, &source))
		return EXIT_FAILURE;
	descend(DEPTH, count);
	return last ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: MIT */
/* Usage: queues SCENARIO; without one, lists them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queues.h"

/* clang-format off */
static const struct scenario {
	const char *name;
	void (*run)(struct queues *);
	bool leaves; /* the program ends with everything as it is */
} scenarios[] = {
	{"properties", queues_properties, false},
	{"profiling", queues_profiling, false},
	{"counts", queues_counts, false},
	{"callbacks", queues_callbacks, false},
	{"errors", queues_errors, false},
	{"many", queues_many, false},
	{"parts", queues_parts, false},
	{"threads", queues_threads, false},
	{"gated", queues_gated, false},
	{"failed", queues_failed, false},
	{"released", queues_released, true},
	{"retained", queues_retained, true},
	{"unfinished", queues_unfinished, true},
	{"blocked", queues_blocked, true},
	{NULL, NULL, false},
};
/* clang-format on */

static void run(const struct scenario *scenario)
{
	struct queues queues = {0};

	opencl_open(&queues.opencl, opencl_source);
	queues.buffer = opencl_buffer(queues.opencl.context, QUEUES_SIZE);
	queues.kernel = opencl_kernel(queues.opencl.program, "twice", queues.buffer);
	scenario->run(&queues);
	printf("rows %d\n", queues.rows);
	if (scenario->leaves)
		return;
	opencl_check(clReleaseKernel(queues.kernel), "clReleaseKernel");
	opencl_check(clReleaseMemObject(queues.buffer), "clReleaseMemObject");
	opencl_close(&queues.opencl);
}

int main(int argc, char **argv)
{
	bool listed = false;

	for (const struct scenario *scenario = scenarios; scenario->name; scenario++) {
		if (argc < 2)
			printf("%s\n", scenario->name);
		else if (!strcmp(scenario->name, argv[1]))
			run(scenario);
		else
			continue;
		listed = true;
	}
	return listed ? EXIT_SUCCESS : EXIT_FAILURE;
}

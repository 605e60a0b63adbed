/* SPDX-License-Identifier: MIT */
/*
 * Usage: every [classic|cuda4] [PART]...
 * Makes every kind of enqueue and prints the rows that the log should have. Enqueues that the
 * device does not support are neither made nor expected.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "every.h"
#include "expect.h"

static void run_twice(struct every *every, void (*part)(struct every *))
{
	/* First without waiting, so that many commands are in progress at the same time. */
	every->blocking = false;
	part(every);
	every->blocking = true;
	part(every);
	opencl_check(clFinish(every->queue), "clFinish");
}

/* Commands that move nothing and make no rows. (PoCL aborts at clEnqueueWaitForEvents.) */
static void order(struct every *every)
{
	cl_event event;

	opencl_check(clEnqueueMarker(every->queue, &event), "clEnqueueMarker");
	opencl_check(clReleaseEvent(event), "clReleaseEvent");
	opencl_check(clEnqueueBarrier(every->queue), "clEnqueueBarrier");
	opencl_check(clEnqueueMarkerWithWaitList(every->queue, 0, NULL, &event),
		     "clEnqueueMarkerWithWaitList");
	opencl_check(clEnqueueBarrierWithWaitList(every->queue, 1, &event, NULL),
		     "clEnqueueBarrierWithWaitList");
	opencl_check(clReleaseEvent(event), "clReleaseEvent");
}

/* clang-format off */
static const struct part {
	const char *name;
	void (*run)(struct every *);
} parts[] = {
	{"kernel", every_kernel},
	{"buffer", every_buffer},
	{"map", every_map},
	{"image", every_image},
	{"svm", every_svm},
	{"order", order},
	{"command_buffer", every_command_buffer},
	{NULL, NULL},
};
/* clang-format on */

static bool is_wanted(const char *name, int count, char **names)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(name, names[i]))
			return true;
	return count == 0;
}

int main(int argc, char **argv)
{
	struct every every = {0};

	expect_dialect(argv[1]);
	opencl_open(&every.opencl, opencl_source);
	every.queue = opencl_queue(every.opencl.context, every.opencl.devices[0], 0);
	every.buffers[0] = opencl_buffer(every.opencl.context, EVERY_SIZE);
	every.buffers[1] = opencl_buffer(every.opencl.context, EVERY_SIZE);
	every.memory = calloc(1, EVERY_SIZE);
	opencl_check(every.memory ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "calloc");
	for (const struct part *part = parts; part->name; part++)
		if (is_wanted(part->name, argc - 2, argv + 2))
			run_twice(&every, part->run);
	free(every.memory);
	opencl_check(clReleaseMemObject(every.buffers[0]), "clReleaseMemObject");
	opencl_check(clReleaseMemObject(every.buffers[1]), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(every.queue), "clReleaseCommandQueue");
	opencl_close(&every.opencl);
	return EXIT_SUCCESS;
}

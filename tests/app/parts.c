/* SPDX-License-Identifier: MIT */
/*
 * Usage: parts [gated]
 *
 * Makes sub-devices of one compute unit each, writes to a buffer on each, and releases all objects
 * of it, the sub-device last, which the driver frees then. gated: the write waits for a user event.
 * The same with the whole device, which is not freed. Fills freed memory with other contents, and
 * prints how many contexts are gone.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opencl.h"

enum { PARTS = 64, BYTES = 256, SMALL = 16, LARGE = 4096, EACH = 8 };

static struct opencl opencl;
static bool is_gated;
static atomic_int gone;

static void CL_CALLBACK ended(cl_context context, void *unused)
{
	(void)context;
	(void)unused;
	atomic_fetch_add(&gone, 1);
}

static void write_to(cl_context context, cl_command_queue queue, cl_mem memory)
{
	static const char bytes[BYTES];
	cl_event gate = is_gated ? opencl_gate(context) : NULL;

	opencl_check(clEnqueueWriteBuffer(queue, memory, !is_gated, 0, BYTES, bytes, is_gated,
					  is_gated ? &gate : NULL, NULL),
		     "clEnqueueWriteBuffer");
	if (is_gated) {
		opencl_check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
		opencl_check(clReleaseEvent(gate), "clReleaseEvent");
	}
	opencl_check(clFinish(queue), "clFinish");
	usleep(100000); /* a thread of PoCL releases the command a moment later */
}

static void use(cl_device_id part)
{
	cl_context context = opencl_context(&part, 1);
	cl_command_queue queue = opencl_queue(context, part, 0);
	cl_mem memory = opencl_buffer(context, BYTES);

	opencl_check(clSetContextDestructorCallback(context, ended, NULL),
		     "clSetContextDestructorCallback");
	write_to(context, queue, memory);
	opencl_check(clReleaseMemObject(memory), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_check(clReleaseContext(context), "clReleaseContext");
	opencl_check(clReleaseDevice(part), "clReleaseDevice");
}

static void fill_freed(void)
{
	void *blocks[EACH];

	for (size_t size = SMALL; size < LARGE; size += SMALL) {
		for (int i = 0; i < EACH; i++) {
			blocks[i] = malloc(size);
			if (!blocks[i])
				exit(EXIT_FAILURE);
			memset(blocks[i], 'A', size);
		}
		for (int i = 0; i < EACH; i++)
			free(blocks[i]);
	}
}

int main(int argc, char **argv)
{
	static const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_device_id parts[PARTS];
	cl_uint count = 0;

	is_gated = argc > 1 && !strcmp(argv[1], "gated");
	opencl_open(&opencl, opencl_source);
	opencl_check(clCreateSubDevices(opencl.devices[0], equally, PARTS, parts, &count),
		     "clCreateSubDevices");
	for (cl_uint i = 0; i < count && i < PARTS; i++)
		use(parts[i]);
	use(opencl.devices[0]);
	fill_freed();
	/* A driver's thread may release the last command. */
	for (int i = 0; i < 5000 && atomic_load(&gone) <= (int)count; i++)
		usleep(1000);
	printf("parts %u\ncontexts %d\n", count, atomic_load(&gone));
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Usage: parts
 *
 * Makes sub-devices of one compute unit each, writes to a buffer on each, and releases all objects
 * of it, the sub-device last, which the driver frees then. Fills freed memory with other contents.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

enum { PARTS = 64, BYTES = 256, SMALL = 16, LARGE = 4096, EACH = 8 };

static struct opencl opencl;

static void use(cl_device_id part)
{
	static const char bytes[BYTES];
	cl_context context = opencl_context(&part, 1);
	cl_command_queue queue = opencl_queue(context, part, 0);
	cl_mem memory = opencl_buffer(context, BYTES);

	opencl_check(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL),
		     "clEnqueueWriteBuffer");
	opencl_check(clFinish(queue), "clFinish");
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

int main(void)
{
	static const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_device_id parts[PARTS];
	cl_uint count = 0;

	opencl_open(&opencl, opencl_source);
	opencl_check(clCreateSubDevices(opencl.devices[0], equally, PARTS, parts, &count),
		     "clCreateSubDevices");
	for (cl_uint i = 0; i < count && i < PARTS; i++)
		use(parts[i]);
	fill_freed();
	printf("parts %u\n", count);
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

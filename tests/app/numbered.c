/* SPDX-License-Identifier: MIT */
#include "numbered.h"

#include <stdio.h>
#include <stdlib.h>

static struct opencl opencl;
static cl_mem buffer;
static const char bytes[NUMBERED_LIMIT];

void numbered_open(void)
{
	opencl_find(&opencl);
	opencl.context = opencl_context(opencl.devices, 1);
	buffer = opencl_buffer(opencl.context, NUMBERED_LIMIT);
}

void numbered_begin(struct numbered *numbered)
{
	numbered->queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	numbered->buffer = buffer;
	numbered->made = 0;
}

void numbered_begin_apart(struct numbered *numbered)
{
	cl_context context = opencl_context(opencl.devices, 1);

	numbered->queue = opencl_queue(context, opencl.devices[0], 0);
	numbered->buffer = opencl_buffer(context, NUMBERED_LIMIT);
	numbered->made = 0;
}

void numbered_copy(struct numbered *numbered, int count)
{
	for (int i = 0; i < count; i++) {
		size_t size = (size_t)numbered->made % NUMBERED_LIMIT + 1;

		opencl_check(clEnqueueWriteBuffer(numbered->queue, numbered->buffer, CL_FALSE, 0,
						  size, bytes, 0, NULL, NULL),
			     "clEnqueueWriteBuffer");
		numbered->made++;
	}
}

void numbered_finish(struct numbered *numbered)
{
	opencl_check(clFinish(numbered->queue), "clFinish");
}

void numbered_say(int count)
{
	printf("rows %d\n", count);
	fflush(stdout);
}

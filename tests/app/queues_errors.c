/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "queues.h"

#define PRINT(call) print(#call, call)

/* Expected rows: each accepted enqueue makes one, however unusual. */
static int taken;

static void print(const char *call, cl_int status)
{
	printf("%s: %d\n", call, status);
	taken += !strncmp(call, "clEnqueue", 9) && status == CL_SUCCESS;
}

/* PoCL crashes after an enqueue without a kernel, or with a count of events and no list. */
static void kernels(cl_command_queue queue, cl_kernel kernel, cl_kernel unset)
{
	size_t global = 64, odd = 7, none = 0, huge = (size_t)1 << 40;
	cl_event nothing = NULL, event = NULL;

	PRINT(clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
	PRINT(clEnqueueNDRangeKernel(queue, unset, 1, NULL, &global, NULL, 0, NULL, NULL));
	PRINT(clEnqueueNDRangeKernel(queue, kernel, 0, NULL, &global, NULL, 0, NULL, NULL));
	PRINT(clEnqueueNDRangeKernel(queue, kernel, 4, NULL, &global, NULL, 0, NULL, NULL));
	PRINT(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, NULL, NULL, 0, NULL, NULL));
	PRINT(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &none, &odd, 0, NULL, NULL));
	PRINT(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &odd, 0, NULL, NULL));
	PRINT(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &huge, &huge, 0, NULL, NULL));
	PRINT(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, &nothing, &event));
	PRINT(clEnqueueTask(NULL, kernel, 0, NULL, NULL));
	printf("events made: %s\n", event ? "yes" : "none");
	if (event)
		opencl_check(clReleaseEvent(event), "clReleaseEvent");
}

static void buffers(cl_command_queue queue, cl_mem buffer)
{
	static char memory[64];
	cl_int status = 1;
	void *mapped;

	PRINT(clEnqueueWriteBuffer(NULL, buffer, 1, 0, 64, memory, 0, NULL, NULL));
	PRINT(clEnqueueWriteBuffer(queue, NULL, 1, 0, 64, memory, 0, NULL, NULL));
	PRINT(clEnqueueWriteBuffer(queue, buffer, 1, 0, 64, NULL, 0, NULL, NULL));
	PRINT(clEnqueueWriteBuffer(queue, buffer, 1, QUEUES_SIZE, 64, memory, 0, NULL, NULL));
	PRINT(clEnqueueReadBuffer(queue, buffer, 1, 0, 2 * QUEUES_SIZE, memory, 0, NULL, NULL));
	PRINT(clEnqueueCopyBuffer(queue, buffer, buffer, 0, 32, 64, 0, NULL, NULL));
	PRINT(clEnqueueCopyBuffer(queue, buffer, NULL, 0, 0, 64, 0, NULL, NULL));
	PRINT(clEnqueueFillBuffer(queue, buffer, memory, 3, 0, 63, 0, NULL, NULL));
	PRINT(clEnqueueFillBuffer(queue, buffer, memory, 4, 2, 64, 0, NULL, NULL));
	PRINT(clEnqueueMigrateMemObjects(queue, 0, NULL, 0, 0, NULL, NULL));
	PRINT(clEnqueueUnmapMemObject(queue, buffer, memory, 0, NULL, NULL));
	mapped = clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_READ, 0, 2 * QUEUES_SIZE, 0, NULL,
				    NULL, &status);
	printf("clEnqueueMapBuffer: %d %s\n", status, mapped ? "mapped" : "none");
	PRINT(clEnqueueReadImage(queue, buffer, 1, NULL, NULL, 0, 0, memory, 0, NULL, NULL));
	PRINT(clEnqueueSVMMap(queue, 1, CL_MAP_READ, NULL, 64, 0, NULL, NULL));
	PRINT(clEnqueueSVMMemcpy(queue, 1, NULL, memory, 64, 0, NULL, NULL));
}

static void objects(struct queues *queues, cl_command_queue queue)
{
	size_t size = 0;

	PRINT(clFinish(NULL));
	PRINT(clFlush(NULL));
	PRINT(clReleaseCommandQueue(NULL));
	PRINT(clRetainCommandQueue(NULL));
	PRINT(clReleaseEvent(NULL));
	PRINT(clReleaseKernel(NULL));
	PRINT(clReleaseMemObject(NULL));
	PRINT(clReleaseContext(NULL));
	PRINT(clWaitForEvents(0, NULL));
	PRINT(clSetKernelArg(queues->kernel, 9, 4, &size));
	PRINT(clSetKernelArg(NULL, 0, 4, &size));
	PRINT(clSetKernelArg(queues->kernel, 0, 4096, NULL));
	PRINT(clGetCommandQueueInfo(queue, 0x7777, 0, NULL, &size));
	PRINT(clGetCommandQueueInfo(NULL, CL_QUEUE_PROPERTIES, 0, NULL, &size));
	PRINT(clGetEventInfo(NULL, CL_EVENT_REFERENCE_COUNT, 0, NULL, &size));
	printf("clGetExtensionFunctionAddressForPlatform: %s\n",
	       clGetExtensionFunctionAddressForPlatform(queues->opencl.platform, "clNothingKHR")
		       ? "an address"
		       : "none");
}

/* An event of one context cannot be waited for in another one. */
static void strangers(struct queues *queues)
{
	cl_context other = opencl_context(queues->opencl.devices, 1);
	cl_command_queue queue = opencl_queue(other, queues->opencl.devices[0], 0);
	cl_event gate = opencl_gate(queues->opencl.context);

	PRINT(clEnqueueTask(queue, queues->kernel, 0, NULL, NULL));
	PRINT(clEnqueueMarkerWithWaitList(queue, 1, &gate, NULL));
	opencl_check(clReleaseEvent(gate), "clReleaseEvent");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_check(clReleaseContext(other), "clReleaseContext");
}

void queues_errors(struct queues *queues)
{
	cl_command_queue queue = opencl_queue(queues->opencl.context, queues->opencl.devices[0], 0);
	cl_kernel unset = opencl_kernel(queues->opencl.program, "twice", NULL);

	kernels(queue, queues->kernel, unset);
	buffers(queue, queues->buffer);
	objects(queues, queue);
	strangers(queues);
	opencl_check(clReleaseKernel(unset), "clReleaseKernel");
	/* A valid one, to check that the others had no effect. */
	opencl_launch(queue, queues->kernel, 64, 0, NULL);
	queues->rows += taken + 1;
	opencl_check(clFinish(queue), "clFinish");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

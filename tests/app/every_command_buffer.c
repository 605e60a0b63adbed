/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "every.h"
#include "expect.h"

/* These functions are looked up by name: no loader exports them. */
struct functions {
	clCreateCommandBufferKHR_fn create;
	clCommandNDRangeKernelKHR_fn launch;
	clCommandFillBufferKHR_fn fill;
	clCommandCopyBufferKHR_fn copy;
	clFinalizeCommandBufferKHR_fn finalize;
	clEnqueueCommandBufferKHR_fn enqueue;
	clGetCommandBufferInfoKHR_fn get_info;
	clReleaseCommandBufferKHR_fn release;
};

static bool find(struct functions *functions, cl_platform_id platform)
{
#define FIND(member, name)                                                                         \
	(functions->member = (name##_fn)clGetExtensionFunctionAddressForPlatform(platform, #name))
	return FIND(create, clCreateCommandBufferKHR) && FIND(launch, clCommandNDRangeKernelKHR) &&
	       FIND(fill, clCommandFillBufferKHR) && FIND(copy, clCommandCopyBufferKHR) &&
	       FIND(finalize, clFinalizeCommandBufferKHR) &&
	       FIND(enqueue, clEnqueueCommandBufferKHR) &&
	       FIND(get_info, clGetCommandBufferInfoKHR) &&
	       FIND(release, clReleaseCommandBufferKHR);
#undef FIND
}

/* One enqueue at a time, unless it was made for simultaneous use. PoCL may say that the queue has
 * finished before it says so of the buffer. */
static void finish(struct every *every, const struct functions *functions,
		   cl_command_buffer_khr buffer)
{
	cl_command_buffer_state_khr state;

	opencl_check(clFinish(every->queue), "clFinish");
	do
		opencl_check(functions->get_info(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof(state),
						 &state, NULL),
			     "clGetCommandBufferInfoKHR");
	while (state == CL_COMMAND_BUFFER_STATE_PENDING_KHR);
}

static void run(struct every *every, const struct functions *functions, cl_kernel kernel)
{
	struct expected_kernel row = {
		.name = "command_buffer(memset+2*twice+memcopy)",
		.queue = EVERY_QUEUE,
		.given = UNKNOWN,
		.local_memory = UNKNOWN,
	};
	cl_sync_point_khr filled, first, second;
	const int zero = 0;
	size_t global = 128;
	cl_int status;
	cl_command_buffer_khr buffer = functions->create(1, &every->queue, NULL, &status);

	if (!opencl_did(status, "clCreateCommandBufferKHR"))
		return;
	opencl_check(functions->fill(buffer, NULL, every->buffers[0], &zero, sizeof(zero), 0, 512,
				     0, NULL, &filled, NULL),
		     "clCommandFillBufferKHR");
	for (int i = 0; i < 2; i++)
		opencl_check(functions->launch(buffer, NULL, NULL, kernel, 1, NULL, &global, NULL,
					       1, i ? &first : &filled, i ? &second : &first, NULL),
			     "clCommandNDRangeKernelKHR");
	opencl_check(functions->copy(buffer, NULL, every->buffers[0], every->buffers[1], 0, 0, 512,
				     1, &second, NULL, NULL),
		     "clCommandCopyBufferKHR");
	opencl_check(functions->finalize(buffer), "clFinalizeCommandBufferKHR");
	for (int i = 0; i < 3; i++) {
		opencl_check(functions->enqueue(0, NULL, buffer, 0, NULL, NULL),
			     "clEnqueueCommandBufferKHR");
		expect_kernel(&row);
		finish(every, functions, buffer);
	}
	opencl_check(functions->release(buffer), "clReleaseCommandBufferKHR");
}

void every_command_buffer(struct every *every)
{
	struct functions functions = {0};
	cl_kernel kernel;

	if (!opencl_did(find(&functions, every->opencl.platform) ? CL_SUCCESS
								 : CL_INVALID_OPERATION,
			"cl_khr_command_buffer"))
		return;
	kernel = opencl_kernel(every->opencl.program, "twice", every->buffers[0]);
	run(every, &functions, kernel);
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "queues.h"

enum { MANY = 8, ROUNDS = 50, THREADS = 4 };

/* Contexts with both kinds of queues, used in turn. */
void queues_many(struct queues *queues)
{
	cl_context contexts[2] = {queues->opencl.context,
				  opencl_context(queues->opencl.devices, 1)};
	cl_mem buffers[2] = {queues->buffer, opencl_buffer(contexts[1], QUEUES_SIZE)};
	cl_command_queue queue[MANY];

	for (int i = 0; i < MANY; i++)
		queue[i] = opencl_queue(contexts[i % 2], queues->opencl.devices[0],
					i / 2 % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
	for (int i = 0; i < ROUNDS * MANY; i++) {
		opencl_write(queue[i % MANY], buffers[i % 2], 64);
		queues->rows++;
	}
	for (int i = 0; i < MANY; i++) {
		opencl_check(clFinish(queue[i]), "clFinish");
		opencl_check(clReleaseCommandQueue(queue[i]), "clReleaseCommandQueue");
	}
	opencl_check(clReleaseMemObject(buffers[1]), "clReleaseMemObject");
	opencl_check(clReleaseContext(contexts[1]), "clReleaseContext");
}

/* Parts of a buffer. */
void queues_parts(struct queues *queues)
{
	cl_command_queue queue = opencl_queue(queues->opencl.context, queues->opencl.devices[0], 0);
	cl_buffer_region region = {0, QUEUES_SIZE / 4};
	char memory[64] = "";

	for (int i = 0; i < 4; i++) {
		cl_int status;
		cl_mem part;

		region.origin = (size_t)i * QUEUES_SIZE / 4;
		part = clCreateSubBuffer(queues->buffer, CL_MEM_READ_WRITE,
					 CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
		opencl_check(status, "clCreateSubBuffer");
		opencl_write(queue, part, sizeof(memory));
		opencl_check(clSetKernelArg(queues->kernel, 0, sizeof(part), &part),
			     "clSetKernelArg");
		opencl_launch(queue, queues->kernel, 64, 16, NULL);
		opencl_check(clEnqueueReadBuffer(queue, part, CL_TRUE, 0, sizeof(memory), memory, 0,
						 NULL, NULL),
			     "clEnqueueReadBuffer");
		queues->rows += 3;
		opencl_check(clReleaseMemObject(part), "clReleaseMemObject");
	}
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

struct worker {
	struct queues *queues;
	cl_command_queue shared;
};

static void *work(void *argument)
{
	const struct worker *worker = argument;
	const struct opencl *opencl = &worker->queues->opencl;
	cl_command_queue own = opencl_queue(opencl->context, opencl->devices[0], 0);
	cl_kernel kernel = opencl_kernel(opencl->program, "twice", worker->queues->buffer);

	for (int i = 0; i < ROUNDS; i++) {
		opencl_launch(own, kernel, 64, 0, NULL);
		opencl_launch(worker->shared, kernel, 64, 0, NULL);
	}
	opencl_check(clFinish(own), "clFinish");
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
	opencl_check(clReleaseCommandQueue(own), "clReleaseCommandQueue");
	return NULL;
}

/* Threads with a queue each and one for all; they end before their rows are written. */
void queues_threads(struct queues *queues)
{
	struct worker worker = {
		.queues = queues,
		.shared = opencl_queue(queues->opencl.context, queues->opencl.devices[0], 0),
	};
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, &worker))
			opencl_check(CL_OUT_OF_HOST_MEMORY, "pthread_create");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	queues->rows += THREADS * ROUNDS * 2;
	opencl_check(clFinish(worker.shared), "clFinish");
	opencl_check(clReleaseCommandQueue(worker.shared), "clReleaseCommandQueue");
}

/* A gate that blocks one queue while the other one continues. */
void queues_gated(struct queues *queues)
{
	const struct opencl *opencl = &queues->opencl;
	cl_command_queue held = opencl_queue(opencl->context, opencl->devices[0],
					     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_command_queue ready = opencl_queue(opencl->context, opencl->devices[0], 0);
	cl_event gate = opencl_gate(opencl->context);
	size_t global = 64;

	for (int i = 0; i < ROUNDS; i++) {
		opencl_check(clEnqueueNDRangeKernel(held, queues->kernel, 1, NULL, &global, NULL,
						    1, &gate, NULL),
			     "clEnqueueNDRangeKernel");
		opencl_write(ready, queues->buffer, 64);
		queues->rows += 2;
	}
	opencl_check(clFinish(ready), "clFinish");
	opencl_check(clFlush(held), "clFlush");
	opencl_check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	opencl_check(clFinish(held), "clFinish");
	opencl_check(clReleaseEvent(gate), "clReleaseEvent");
	opencl_check(clReleaseCommandQueue(held), "clReleaseCommandQueue");
	opencl_check(clReleaseCommandQueue(ready), "clReleaseCommandQueue");
}

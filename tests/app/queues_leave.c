/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <time.h>

#include "queues.h"

enum { COUNT = 20 };

static cl_command_queue open_queue(struct queues *queues, cl_command_queue_properties properties)
{
	return opencl_queue(queues->opencl.context, queues->opencl.devices[0], properties);
}

/* The gate reports an error, so none of the commands after it runs. */
void queues_failed(struct queues *queues)
{
	cl_command_queue queue = open_queue(queues, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_event gate = opencl_gate(queues->opencl.context), events[COUNT];
	cl_int status = 0, failed = 0;

	for (int i = 0; i < COUNT; i++) {
		opencl_check(clEnqueueTask(queue, queues->kernel, 1, &gate, &events[i]),
			     "clEnqueueTask");
		queues->rows++;
	}
	opencl_check(clFlush(queue), "clFlush");
	opencl_check(clSetUserEventStatus(gate, -5), "clSetUserEventStatus");
	printf("waiting: %d\n", clWaitForEvents(COUNT, events));
	for (int i = 0; i < COUNT; i++) {
		opencl_check(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS,
					    sizeof(status), &status, NULL),
			     "clGetEventInfo");
		failed += status < 0;
		opencl_check(clReleaseEvent(events[i]), "clReleaseEvent");
	}
	printf("failed: %d\n", failed);
	opencl_check(clReleaseEvent(gate), "clReleaseEvent");
	/* Later commands are not affected. */
	opencl_check(clEnqueueTask(queue, queues->kernel, 0, NULL, NULL), "clEnqueueTask");
	queues->rows++;
	opencl_check(clFinish(queue), "clFinish");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

/* Everything is released before the work is done. */
void queues_released(struct queues *queues)
{
	cl_command_queue queue = open_queue(queues, 0), other = open_queue(queues, 0);
	cl_event event, last;

	for (int i = 0; i < COUNT; i++) {
		opencl_launch(queue, queues->kernel, 64, 0, &event);
		opencl_check(clReleaseEvent(event), "clReleaseEvent");
	}
	opencl_launch(other, queues->kernel, 64, 0, &last);
	queues->rows += COUNT + 1;
	opencl_check(clReleaseKernel(queues->kernel), "clReleaseKernel");
	opencl_check(clReleaseMemObject(queues->buffer), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_check(clFlush(other), "clFlush");
	opencl_close(&queues->opencl);
	printf("waiting: %d\n", clWaitForEvents(1, &last));
	opencl_check(clReleaseCommandQueue(other), "clReleaseCommandQueue");
	opencl_check(clReleaseEvent(last), "clReleaseEvent");
}

/* Nothing is ever released. */
void queues_retained(struct queues *queues)
{
	cl_command_queue queue = open_queue(queues, 0);
	cl_event event = NULL;

	for (int i = 0; i < COUNT; i++) {
		opencl_launch(queue, queues->kernel, 64, 0, &event);
		opencl_check(clRetainEvent(event), "clRetainEvent");
		queues->rows++;
	}
	opencl_check(clFinish(queue), "clFinish");
	printf("waiting: %d\n", clWaitForEvents(1, &event));
}

/* The program returns without waiting for anything. */
void queues_unfinished(struct queues *queues)
{
	cl_command_queue queue = open_queue(queues, 0);

	for (int i = 0; i < COUNT; i++) {
		opencl_launch(queue, queues->kernel, 64, 0, NULL);
		queues->rows++;
	}
}

/* The gate is never opened, and the program returns. */
void queues_blocked(struct queues *queues)
{
	cl_command_queue queue = open_queue(queues, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_event gate = opencl_gate(queues->opencl.context);

	opencl_check(clEnqueueTask(queue, queues->kernel, 0, NULL, NULL), "clEnqueueTask");
	opencl_check(clFinish(queue), "clFinish");
	for (int i = 0; i < COUNT; i++)
		opencl_check(clEnqueueTask(queue, queues->kernel, 1, &gate, NULL), "clEnqueueTask");
	opencl_check(clFlush(queue), "clFlush");
	queues->rows += COUNT + 1;
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <time.h>

#include "queues.h"

static void print_queue(cl_command_queue queue)
{
	cl_command_queue_properties properties = 0;
	cl_queue_properties array[16] = {0};
	size_t size = 0;

	opencl_check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(properties),
					   &properties, NULL),
		     "clGetCommandQueueInfo");
	printf("properties %llx", (unsigned long long)properties);
	if (clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof(array), array, &size))
		printf(", no array");
	else
		printf(", array of %zu:", size / sizeof(*array));
	for (size_t i = 0; i < size / sizeof(*array); i++)
		printf(" %llx", (unsigned long long)array[i]);
	size = 0;
	printf(", short buffer %d",
	       clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, 1, &properties, &size));
	printf(", size only %d",
	       clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, 0, NULL, &size));
	printf(" %zu\n", size);
}

static void print_with_array(struct queues *queues, const cl_queue_properties *properties)
{
	cl_int status = 1;
	cl_command_queue queue = clCreateCommandQueueWithProperties(
		queues->opencl.context, queues->opencl.devices[0], properties, &status);

	printf("made %d: ", status);
	if (!queue) {
		printf("no queue\n");
		return;
	}
	print_queue(queue);
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

void queues_properties(struct queues *queues)
{
	/* clang-format off */
	static const cl_queue_properties arrays[][6] = {
		{0},
		{CL_QUEUE_PROPERTIES, 0, 0},
		{CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0},
		{CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
		{CL_QUEUE_PROPERTIES,
		 CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0},
		{CL_QUEUE_PROPERTIES, (cl_queue_properties)1 << 40, 0},
		{0x7777, 1, 0},
		{0x7777, 1, CL_QUEUE_PROPERTIES, 0, 0},
	};
	/* clang-format on */
	cl_command_queue queue;
	cl_int status;

	for (cl_command_queue_properties bits = 0; bits < 4; bits++) {
		queue = opencl_queue(queues->opencl.context, queues->opencl.devices[0], bits);
		print_queue(queue);
		opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	}
	print_with_array(queues, NULL);
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		print_with_array(queues, arrays[i]);
	queue = clCreateCommandQueue(queues->opencl.context, queues->opencl.devices[0],
				     (cl_command_queue_properties)1 << 40, &status);
	printf("a property that there is not: %d %s\n", status, queue ? "queue" : "none");
	queue = clCreateCommandQueue(NULL, queues->opencl.devices[0], 0, &status);
	printf("no context: %d %s\n", status, queue ? "queue" : "none");
	queue = clCreateCommandQueueWithProperties(queues->opencl.context, NULL, NULL, &status);
	printf("no device: %d %s\n", status, queue ? "queue" : "none");
}

static void print_profiling(struct queues *queues, cl_command_queue_properties properties)
{
	cl_command_queue queue =
		opencl_queue(queues->opencl.context, queues->opencl.devices[0], properties);
	cl_ulong time = 0;
	cl_event event;
	size_t size = 0;

	opencl_launch(queue, queues->kernel, 64, 0, &event);
	queues->rows++;
	opencl_check(clFinish(queue), "clFinish");
	for (cl_uint what = CL_PROFILING_COMMAND_QUEUED; what <= CL_PROFILING_COMMAND_COMPLETE + 1;
	     what++)
		printf("%d ", clGetEventProfilingInfo(event, what, sizeof(time), &time, NULL));
	printf("short buffer %d, ",
	       clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 1, &time, NULL));
	printf("size only %d %zu\n",
	       clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 0, NULL, &size), size);
	opencl_check(clReleaseEvent(event), "clReleaseEvent");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

void queues_profiling(struct queues *queues)
{
	cl_event gate = opencl_gate(queues->opencl.context);
	cl_ulong time = 0;

	for (cl_command_queue_properties bits = 0; bits < 4; bits++)
		print_profiling(queues, bits);
	printf("user event %d, ", clGetEventProfilingInfo(gate, CL_PROFILING_COMMAND_END,
							  sizeof(time), &time, NULL));
	printf("no event %d\n", clGetEventProfilingInfo(NULL, CL_PROFILING_COMMAND_END,
							sizeof(time), &time, NULL));
	opencl_check(clReleaseEvent(gate), "clReleaseEvent");
}

/* A driver releases a finished command shortly after clFinish: waits until the count is stable. */
#define COUNT(get, object, key)                                                                    \
	do {                                                                                       \
		const struct timespec pause = {.tv_nsec = 1000000};                                \
		cl_uint count = 0, before = 0;                                                     \
		for (int same = 0; same < 10; same = count == before ? same + 1 : 0) {             \
			before = count;                                                            \
			nanosleep(&pause, NULL);                                                   \
			opencl_check(get(object, key, sizeof(count), &count, NULL), #key);         \
		}                                                                                  \
		printf("%s %u\n", #key, count);                                                    \
	} while (0)

void queues_counts(struct queues *queues)
{
	cl_command_queue queue = opencl_queue(queues->opencl.context, queues->opencl.devices[0], 0);
	cl_event kept;

	COUNT(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
	for (int i = 0; i < 20; i++)
		opencl_launch(queue, queues->kernel, 64, 0, NULL);
	opencl_launch(queue, queues->kernel, 64, 0, &kept);
	queues->rows += 21;
	opencl_check(clRetainCommandQueue(queue), "clRetainCommandQueue");
	opencl_check(clFinish(queue), "clFinish");
	COUNT(clGetEventInfo, kept, CL_EVENT_REFERENCE_COUNT);
	opencl_check(clRetainEvent(kept), "clRetainEvent");
	COUNT(clGetEventInfo, kept, CL_EVENT_REFERENCE_COUNT);
	opencl_check(clReleaseEvent(kept), "clReleaseEvent");
	COUNT(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
	COUNT(clGetKernelInfo, queues->kernel, CL_KERNEL_REFERENCE_COUNT);
	COUNT(clGetMemObjectInfo, queues->buffer, CL_MEM_REFERENCE_COUNT);
	COUNT(clGetProgramInfo, queues->opencl.program, CL_PROGRAM_REFERENCE_COUNT);
	COUNT(clGetContextInfo, queues->opencl.context, CL_CONTEXT_REFERENCE_COUNT);
	opencl_check(clReleaseEvent(kept), "clReleaseEvent");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	COUNT(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	COUNT(clGetContextInfo, queues->opencl.context, CL_CONTEXT_REFERENCE_COUNT);
}

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *calls)
{
	(void)event;
	(void)status;
	__atomic_fetch_add((int *)calls, 1, __ATOMIC_RELAXED);
}

void queues_callbacks(struct queues *queues)
{
	static int calls[3];
	static const cl_int moments[3] = {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED};
	cl_command_queue queue = opencl_queue(queues->opencl.context, queues->opencl.devices[0], 0);
	const struct timespec pause = {.tv_nsec = 1000000};
	cl_event gate = opencl_gate(queues->opencl.context);
	cl_command_type type = 0;
	cl_command_queue of = NULL;

	for (int i = 0; i < 30; i++) {
		cl_event event;

		opencl_check(clEnqueueTask(queue, queues->kernel, 1, &gate, &event),
			     "clEnqueueTask");
		queues->rows++;
		opencl_check(clSetEventCallback(event, moments[i % 3], count_call, &calls[i % 3]),
			     "clSetEventCallback");
		clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
		clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(of), (void *)&of, NULL);
		opencl_check(clReleaseEvent(event), "clReleaseEvent");
	}
	printf("type %x, queue %s\n", type, of == queue ? "is right" : "is another one");
	opencl_check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	opencl_check(clFinish(queue), "clFinish");
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 300 && __atomic_load_n(&calls[i], __ATOMIC_RELAXED) < 10; j++)
			nanosleep(&pause, NULL);
		printf("callbacks %d\n", __atomic_load_n(&calls[i], __ATOMIC_RELAXED));
	}
	opencl_check(clReleaseEvent(gate), "clReleaseEvent");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

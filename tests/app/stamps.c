/* SPDX-License-Identifier: MIT */
/*
 * Usage: stamps [COUNT]
 * Enqueues COUNT commands of several kinds, each with an event of its own, and prints one line for
 * each in launch order:
 *	METHOD GPUTIME DURATION BEFORE AFTER FINISHED
 * GPUTIME as the log should print it and DURATION in ns, both from the event's own time stamps ("-"
 * where the queue has none for the program); BEFORE and AFTER the call, and when the queue was
 * FINISHED, in ns since the epoch.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "opencl.h"

enum { SIZE = 1 << 20, QUEUES = 3, UNSTAMPED = 2 };

struct command {
	const char *method;
	cl_event event;
	int queue;
	uint64_t before;
	uint64_t after;
};

struct stamps {
	struct opencl opencl;
	cl_command_queue queues[QUEUES];
	cl_mem buffer;
	cl_kernel twice;
	cl_kernel spin;
	char *memory;
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static const char *spin(struct stamps *stamps, struct command *command)
{
	opencl_launch(stamps->queues[command->queue], stamps->spin, 64, 8, &command->event);
	return "spin";
}

static const char *twice(struct stamps *stamps, struct command *command)
{
	opencl_launch(stamps->queues[command->queue], stamps->twice, 64, 0, &command->event);
	return "twice";
}

static const char *write_part(struct stamps *stamps, struct command *command)
{
	opencl_check(clEnqueueWriteBuffer(stamps->queues[command->queue], stamps->buffer, CL_FALSE,
					  0, SIZE / 2, stamps->memory, 0, NULL, &command->event),
		     "clEnqueueWriteBuffer");
	return "memcopy";
}

static const char *read_all(struct stamps *stamps, struct command *command)
{
	opencl_check(clEnqueueReadBuffer(stamps->queues[command->queue], stamps->buffer, CL_TRUE, 0,
					 SIZE, stamps->memory, 0, NULL, &command->event),
		     "clEnqueueReadBuffer");
	return "memcopy";
}

static const char *fill(struct stamps *stamps, struct command *command)
{
	static const cl_int pattern = 5;

	opencl_check(clEnqueueFillBuffer(stamps->queues[command->queue], stamps->buffer, &pattern,
					 sizeof(pattern), 0, SIZE, 0, NULL, &command->event),
		     "clEnqueueFillBuffer");
	return "memset";
}

static void open_stamps(struct stamps *stamps)
{
	static const cl_command_queue_properties properties[QUEUES] = {
		CL_QUEUE_PROFILING_ENABLE,
		CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
		[UNSTAMPED] = 0,
	};
	cl_int rounds = 20000;

	opencl_open(&stamps->opencl, opencl_source);
	for (int i = 0; i < QUEUES; i++)
		stamps->queues[i] = opencl_queue(stamps->opencl.context, stamps->opencl.devices[0],
						 properties[i]);
	stamps->buffer = opencl_buffer(stamps->opencl.context, SIZE);
	stamps->memory = calloc(1, SIZE);
	opencl_check(stamps->memory ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "calloc");
	stamps->twice = opencl_kernel(stamps->opencl.program, "twice", stamps->buffer);
	stamps->spin = opencl_kernel(stamps->opencl.program, "spin", stamps->buffer);
	opencl_check(clSetKernelArg(stamps->spin, 1, sizeof(rounds), &rounds), "clSetKernelArg");
}

static void close_stamps(struct stamps *stamps)
{
	opencl_check(clReleaseKernel(stamps->spin), "clReleaseKernel");
	opencl_check(clReleaseKernel(stamps->twice), "clReleaseKernel");
	opencl_check(clReleaseMemObject(stamps->buffer), "clReleaseMemObject");
	for (int i = 0; i < QUEUES; i++)
		opencl_check(clReleaseCommandQueue(stamps->queues[i]), "clReleaseCommandQueue");
	opencl_close(&stamps->opencl);
	free(stamps->memory);
}

static void enqueue(struct stamps *stamps, struct command *commands, int count)
{
	static const char *(*const kinds[])(struct stamps *, struct command *) = {
		spin, twice, write_part, fill, read_all,
	};
	int kind_count = sizeof(kinds) / sizeof(*kinds);

	for (int i = 0; i < count; i++) {
		commands[i].queue = i / kind_count % QUEUES;
		commands[i].before = now();
		commands[i].method = kinds[i % kind_count](stamps, &commands[i]);
		commands[i].after = now();
	}
}

/* Requires all four in order; otherwise the device is unsuitable for this test. */
static uint64_t duration(cl_event event)
{
	cl_ulong stamps[4] = {0};

	for (cl_uint i = 0; i < 4; i++)
		opencl_check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i,
						     sizeof(stamps[i]), &stamps[i], NULL),
			     "clGetEventProfilingInfo");
	for (int i = 1; i < 4; i++)
		if (stamps[i] < stamps[i - 1])
			opencl_check(CL_INVALID_VALUE, "a time stamp that is out of order");
	return stamps[3] - stamps[2];
}

static void print(const struct command *command, uint64_t finished)
{
	uint64_t time;

	printf("%s ", command->method);
	if (command->queue == UNSTAMPED) {
		printf("- - ");
	} else {
		time = duration(command->event);
		printf("%.3f %" PRIu64 " ", (double)(float)((double)time / 1000), time);
	}
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", command->before, command->after, finished);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 100;
	struct command *commands = calloc((size_t)count, sizeof(*commands));
	struct stamps stamps = {0};
	uint64_t finished;

	opencl_check(commands ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "calloc");
	open_stamps(&stamps);
	enqueue(&stamps, commands, count);
	for (int i = 0; i < QUEUES; i++)
		opencl_check(clFinish(stamps.queues[i]), "clFinish");
	finished = now();
	for (int i = 0; i < count; i++) {
		print(&commands[i], finished);
		opencl_check(clReleaseEvent(commands[i].event), "clReleaseEvent");
	}
	close_stamps(&stamps);
	free(commands);
	return EXIT_SUCCESS;
}

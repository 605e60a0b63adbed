/* SPDX-License-Identifier: MIT */
/*
 * load [-p | -e] NAME COUNT
 * Gives the device COUNT commands in the way NAME (loads[] below), and prints the clock
 * (CLOCK_MONOTONIC) and the process's CPU time just before, in nanoseconds. The cost of the
 * commands, including all later work of a profiler, is the difference to both at the end of the
 * process. Also prints the number of commands before, which are in a log, too. With -p the program
 * requests profiling itself; with -e it also queries the start and end of each command when a
 * thousand of them are over: no tool can do with less. `load -l` lists the names.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../app/opencl.h"

enum { FINISH = 1000, WARM_UP = 2000, BYTES = 64, THREADS = 8, BEFORE = 2 };

static struct opencl opencl;
static cl_command_queue_properties profiling;
static bool asking;

/* The data of one thread. */
struct lane {
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem buffer;
	long count;
	void (*run)(struct lane *lane, long count);
	cl_event events[FINISH]; /* of the last commands, if their times are read */
	int pending;
};

static void ask(cl_event event)
{
	cl_ulong began, ended;

	opencl_check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(began),
					     &began, NULL),
		     "clGetEventProfilingInfo");
	opencl_check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(ended),
					     &ended, NULL),
		     "clGetEventProfilingInfo");
	if (began > ended)
		exit(EXIT_FAILURE);
}

static void ask_all(struct lane *lane)
{
	for (int i = 0; i < lane->pending; i++) {
		ask(lane->events[i]);
		clReleaseEvent(lane->events[i]);
	}
	lane->pending = 0;
}

static void finish(struct lane *lane)
{
	opencl_check(clFinish(lane->queue), "clFinish");
	if (lane->pending == FINISH)
		ask_all(lane);
}

/* The event parameter of the next command; NULL if it is not used. */
static cl_event *next_event(struct lane *lane)
{
	if (!asking)
		return NULL;
	if (lane->pending == FINISH)
		finish(lane);
	return &lane->events[lane->pending++];
}

static void launch(struct lane *lane)
{
	opencl_launch(lane->queue, lane->kernel, 1, 1, next_event(lane));
}

static void burst(struct lane *lane, long count)
{
	for (long i = 1; i <= count; i++) {
		launch(lane);
		if (i % FINISH == 0 || i == count)
			finish(lane);
	}
}

static void each(struct lane *lane, long count)
{
	while (count--) {
		launch(lane);
		finish(lane);
	}
}

static void reads(struct lane *lane, long count)
{
	char bytes[BYTES];

	while (count--)
		opencl_check(clEnqueueReadBuffer(lane->queue, lane->buffer, CL_TRUE, 0, BYTES,
						 bytes, 0, NULL, next_event(lane)),
			     "clEnqueueReadBuffer");
}

static void write_to(struct lane *lane, cl_bool blocking)
{
	static const char bytes[BYTES];

	opencl_check(clEnqueueWriteBuffer(lane->queue, lane->buffer, blocking, 0, BYTES, bytes, 0,
					  NULL, next_event(lane)),
		     "clEnqueueWriteBuffer");
}

static void writes(struct lane *lane, long count)
{
	while (count--)
		write_to(lane, CL_TRUE);
}

static void queued(struct lane *lane, long count)
{
	for (long i = 1; i <= count; i++) {
		write_to(lane, CL_FALSE);
		if (i % FINISH == 0 || i == count)
			finish(lane);
	}
}

/* Each kernel waits for the one that was enqueued BEFORE commands earlier. */
static void unordered(struct lane *lane, long count)
{
	cl_event events[BEFORE] = {0};
	size_t global = 1;

	for (long i = 1; i <= count; i++) {
		cl_event *event = &events[i % BEFORE], old = *event;

		opencl_check(clEnqueueNDRangeKernel(lane->queue, lane->kernel, 1, NULL, &global,
						    NULL, old ? 1 : 0, old ? &old : NULL, event),
			     "clEnqueueNDRangeKernel");
		if (old)
			clReleaseEvent(old);
		if (asking) {
			opencl_check(clRetainEvent(*event), "clRetainEvent");
			*next_event(lane) = *event;
		}
		if (i % FINISH == 0 || i == count)
			finish(lane);
	}
	for (int i = 0; i < BEFORE; i++)
		if (events[i])
			clReleaseEvent(events[i]);
}

static const struct load {
	const char *name, *help;
	void (*run)(struct lane *lane, long count);
	int threads;
	bool unordered;
} loads[] = {
	{"burst", "empty kernels, a clFinish after each 1000", burst, 1, false},
	{"each", "empty kernels, a clFinish after each", each, 1, false},
	{"reads", "blocking reads of 64 bytes", reads, 1, false},
	{"writes", "blocking writes of 64 bytes", writes, 1, false},
	{"queued", "writes of 64 bytes that do not block, a clFinish after each 1000", queued, 1,
	 false},
	{"two", "as burst, two threads with a queue each", burst, 2, false},
	{"eight", "as burst, eight threads with a queue each", burst, 8, false},
	{"unordered", "an out-of-order queue: each kernel waits for the last but one", unordered, 1,
	 true},
};

static const struct load *find(const char *name)
{
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
		if (!strcmp(loads[i].name, name))
			return &loads[i];
	fprintf(stderr, "load: there is no load %s\n", name);
	exit(EXIT_FAILURE);
}

static unsigned long long now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (unsigned long long)time.tv_sec * 1000000000 + (unsigned long long)time.tv_nsec;
}

static struct lane open_lane(const struct load *load, long count)
{
	struct lane lane = {.count = count, .run = load->run};

	lane.queue = opencl_queue(opencl.context, opencl.devices[0],
				  profiling | (load->unordered ?
						       CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE :
						       0));
	lane.buffer = opencl_buffer(opencl.context, BYTES);
	opencl_write(lane.queue, lane.buffer, BYTES);
	lane.kernel = opencl_kernel(opencl.program, "empty", NULL);
	return lane;
}

static void close_lane(struct lane *lane)
{
	ask_all(lane);
	opencl_check(clReleaseKernel(lane->kernel), "clReleaseKernel");
	opencl_check(clReleaseMemObject(lane->buffer), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(lane->queue), "clReleaseCommandQueue");
}

static void *run_lane(void *argument)
{
	struct lane *lane = argument;

	lane->run(lane, lane->count);
	return NULL;
}

static void run(struct lane *lanes, int count)
{
	pthread_t threads[THREADS];

	for (int i = 1; i < count; i++)
		if (pthread_create(&threads[i], NULL, run_lane, &lanes[i]))
			exit(EXIT_FAILURE);
	run_lane(&lanes[0]);
	for (int i = 1; i < count; i++)
		pthread_join(threads[i], NULL);
}

static int list(void)
{
	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
		printf("%s\t%s\n", loads[i].name, loads[i].help);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct lane lanes[THREADS];
	const struct load *load;

	if (argc == 2 && !strcmp(argv[1], "-l"))
		return list();
	if (argc > 1 && (!strcmp(argv[1], "-p") || !strcmp(argv[1], "-e"))) {
		profiling = CL_QUEUE_PROFILING_ENABLE;
		asking = argv[1][1] == 'e';
		argv++;
		argc--;
	}
	if (argc != 3 || atol(argv[2]) <= 0) {
		fprintf(stderr, "usage: load [-p | -e] NAME COUNT, or load -l\n");
		return EXIT_FAILURE;
	}
	load = find(argv[1]);
	opencl_open(&opencl, "__kernel void empty(void) { }\n");
	for (int i = 0; i < load->threads; i++)
		lanes[i] = open_lane(load, atol(argv[2]) / load->threads);
	burst(&lanes[0], WARM_UP);
	printf("%llu %llu %d\n", now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID),
	       WARM_UP + load->threads);
	fflush(stdout);
	run(lanes, load->threads);
	for (int i = 0; i < load->threads; i++)
		close_lane(&lanes[i]);
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

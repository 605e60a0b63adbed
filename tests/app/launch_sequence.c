/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "launch.h"

enum { CONTEXT, KERNEL, MEM, FIRST_QUEUE };

static cl_uint references_of(const struct things *things, int which)
{
	cl_uint count = 0;

	if (which == CONTEXT)
		clGetContextInfo(things->context, CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count,
				 NULL);
	else if (which == KERNEL)
		clGetKernelInfo(things->kernel, CL_KERNEL_REFERENCE_COUNT, sizeof(count), &count,
				NULL);
	else if (which == MEM)
		clGetMemObjectInfo(things->buffers[0], CL_MEM_REFERENCE_COUNT, sizeof(count),
				   &count, NULL);
	else
		clGetCommandQueueInfo(things->queues[which - FIRST_QUEUE], CL_QUEUE_REFERENCE_COUNT,
				      sizeof(count), &count, NULL);
	return count;
}

void launch_references(const struct things *things, const struct options *options, const char *when)
{
	static int turns;
	int all = FIRST_QUEUE + options->queues;
	cl_uint counts[FIRST_QUEUE + QUEUES] = {0}, count = 0;

	if (!options->references)
		return;
	/* The queries come in changing order: an answer must not depend on another query. */
	turns++;
	for (int i = 0; i < all; i++)
		counts[(turns + i) % all] = references_of(things, (turns + i) % all);
	printf("%s: context %u kernel %u mem %u queues", when, counts[CONTEXT], counts[KERNEL],
	       counts[MEM]);
	for (int i = FIRST_QUEUE; i < all; i++)
		printf(" %u", counts[i]);
	printf(" events");
	for (int i = 0; i < things->event_count; i++) {
		if (!things->events[i])
			continue;
		clGetEventInfo(things->events[i], CL_EVENT_REFERENCE_COUNT, sizeof(count), &count,
			       NULL);
		printf(" %u", count);
	}
	printf("\n");
}

/* Returns the command's queue, in turn, and the entry for its event. */
static cl_command_queue turn(const struct things *things, const struct options *options)
{
	return things->queues[things->event_count % options->queues];
}

static void enqueued(struct things *things, const struct options *options, const char *name,
		     cl_int status)
{
	things->names[things->event_count++] = name;
	if (status != CL_SUCCESS)
		printf("%s: error %d\n", name, status);
	launch_references(things, options, name);
}

static void print_events(const struct things *things)
{
	for (int i = 0; i < things->event_count; i++) {
		cl_event event = things->events[i];
		cl_ulong start = 0, end = 0;
		cl_int status = 0, first;

		if (!event)
			continue;
		clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
			       NULL);
		first = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(start),
						&start, NULL);
		clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
		printf("%s: status %d profiling %d time %lld ns\n", things->names[i], status, first,
		       (long long)(end - start));
	}
}

/* Waits where the commands must run one after the other, for any number of queues. */
static void finish(const struct things *things, const struct options *options)
{
	for (int i = 0; i < options->queues && !options->unwaited; i++)
		clFinish(things->queues[i]);
}

/* Maps mapped memory a second time and unmaps it. */
static void map_again(const struct things *things, const struct options *options)
{
	cl_command_queue queue = turn(things, options);
	void *mapped = clEnqueueMapBuffer(queue, things->buffers[1], CL_TRUE, CL_MAP_READ, 64, 32,
					  0, NULL, NULL, NULL);

	if (mapped)
		clEnqueueUnmapMemObject(queue, things->buffers[1], mapped, 0, NULL, NULL);
}

void launch_sequence(struct things *things, const struct options *options)
{
	static char host[4096];
	static const size_t line = 256, group = 64, plane[2] = {100, 30};
	cl_event *events = things->events;
	cl_mem *buffers = things->buffers;
	cl_int status;
	void *mapped;

	enqueued(things, options, "write",
		 clEnqueueWriteBuffer(turn(things, options), buffers[0], CL_FALSE, 0, 4096, host, 0,
				      NULL, &events[0]));
	enqueued(things, options, "line",
		 clEnqueueNDRangeKernel(turn(things, options), things->kernel, 1, NULL, &line,
					&group, 0, NULL, &events[1]));
	enqueued(things, options, "plane",
		 clEnqueueNDRangeKernel(turn(things, options), things->kernel, 2, NULL, plane, NULL,
					0, NULL, &events[2]));
	enqueued(things, options, "copy",
		 clEnqueueCopyBuffer(turn(things, options), buffers[0], buffers[1], 0, 0, 128, 0,
				     NULL, &events[3]));
	finish(things, options);
	mapped = clEnqueueMapBuffer(turn(things, options), buffers[1], CL_TRUE, CL_MAP_READ, 64, 32,
				    0, NULL, &events[4], &status);
	enqueued(things, options, "map", status);
	if (options->twice)
		map_again(things, options);
	status = CL_SUCCESS;
	if (mapped)
		status = clEnqueueUnmapMemObject(turn(things, options), buffers[1], mapped, 0, NULL,
						 &events[5]);
	enqueued(things, options, "unmap", status);
	/* The commands of most programs have no event. */
	enqueued(things, options, "read",
		 clEnqueueReadBuffer(turn(things, options), buffers[0], !options->unwaited, 0, 256,
				     host, 0, NULL, NULL));
	finish(things, options);
	launch_references(things, options, "finished");
	print_events(things);
}

static void launch_kernels(struct things *things, const struct options *options)
{
	static const size_t line = 256, group = 64;

	for (long i = 0; i < options->kernels; i++) {
		cl_int status = clEnqueueNDRangeKernel(things->queues[i % options->queues],
						       things->kernel, 1, NULL, &line, &group, 0,
						       NULL, NULL);

		if (status != CL_SUCCESS)
			printf("kernel %ld: error %d\n", i + 1, status);
		if (options->pause)
			usleep((useconds_t)options->pause * 1000);
		if (i < 8)
			launch_references(things, options, "kernel");
	}
	finish(things, options);
	launch_references(things, options, "finished");
}

struct job {
	struct things *things;
	const struct options *options;
};

static void *run_job(void *argument)
{
	const struct job *job = argument;

	launch_kernels(job->things, job->options);
	return NULL;
}

void launch_threads(struct things *things, const struct options *options)
{
	struct job job = {things, options};
	pthread_t threads[THREADS];

	for (int i = 1; i < options->threads; i++)
		pthread_create(&threads[i], NULL, run_job, &job);
	launch_kernels(things, options);
	for (int i = 1; i < options->threads; i++)
		pthread_join(threads[i], NULL);
}

void launch_release(struct things *things, const struct options *options)
{
	for (int i = 0; i < things->event_count; i++) {
		if (things->events[i])
			clReleaseEvent(things->events[i]);
		things->events[i] = NULL;
	}
	launch_references(things, options, "events released");
	clReleaseKernel(things->kernel);
	clReleaseProgram(things->program);
	for (int i = 0; i < 2; i++)
		clReleaseMemObject(things->buffers[i]);
	for (int i = 0; i < options->queues; i++)
		clReleaseCommandQueue(things->queues[i]);
	clReleaseContext(things->context);
}

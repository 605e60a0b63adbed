/* SPDX-License-Identifier: MIT */
#ifndef TESTS_APP_LAUNCH_H
#define TESTS_APP_LAUNCH_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>

enum { QUEUES = 8, EVENTS = 64, THREADS = 16 };

struct options {
	unsigned device;
	int queues, threads;
	long kernels;
	const char *build;
	int pause, sleep; /* ms */
	bool aside, all_kernels, properties, profiling, references;
	bool part, clock, unwaited, unreleased, twice, changing;
};

struct things {
	cl_device_id device;
	cl_context context;
	cl_command_queue queues[QUEUES];
	cl_mem buffers[2];
	cl_program program;
	cl_kernel kernel;
	cl_event events[EVENTS]; /* of the sequence */
	int event_count;
	const char *names[EVENTS];
};

/* launch_sequence.c */
void launch_sequence(struct things *things, const struct options *options);
/* Launches kernels only, in the number of threads of the options. */
void launch_threads(struct things *things, const struct options *options);

/* Prints the reference counts of all objects, if the options request it. */
void launch_references(const struct things *things, const struct options *options,
		       const char *when);
void launch_release(struct things *things, const struct options *options);

#endif

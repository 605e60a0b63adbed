/* SPDX-License-Identifier: MIT */
/*
 * Launches a fixed sequence of commands on any OpenCL device and prints all results that a program
 * can observe: the output must be the same with and without a profiler.
 *
 *	launch [-d DEVICE] [-q QUEUES] [-n KERNELS] [-i MS] [-m THREADS] [-b BUILD_OPTIONS]
 *	       [-w MS] [-ackoprstuxy]
 *
 *	-a  a second context, with its own queue, gets a kernel, too
 *	-c  queues by clCreateCommandQueueWithProperties
 *	-i  sleeps for MS after each of the kernels
 *	-k  the kernel by clCreateKernelsInProgram, after a call of it that fails
 *	-m  THREADS threads do that at once
 *	-n  KERNELS kernels, and nothing else, on the queues in turn
 *	-o  the properties of queues are changed; what they were is printed
 *	-p  queues with profiling; the time stamps are printed
 *	-r  the reference counts are printed at many points
 *	-s  on a part of the device
 *	-t  the wall clock before and after, in ns
 *	-u  nothing is waited for
 *	-w  sleeps for MS before it ends
 *	-x  nothing is released
 *	-y  mapped memory is mapped twice
 *
 * Exit code: 0, 1 if a call failed unexpectedly, 77 if there is no such device.
 */
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "launch: %s failed with error %d\n", what, status);
	exit(EXIT_FAILURE);
}

static cl_device_id find_device(unsigned wanted)
{
	cl_platform_id platforms[16];
	cl_device_id devices[64];
	cl_uint platform_count = 0, count;

	clGetPlatformIDs(16, platforms, &platform_count);
	for (cl_uint i = 0; i < platform_count; i++) {
		count = 0;
		clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 64, devices, &count);
		if (wanted < count)
			return devices[wanted];
		wanted -= count;
	}
	exit(77);
}

static cl_device_id part_of(cl_device_id device)
{
	cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
	cl_device_id parts[64];
	cl_uint count = 0;

	check(clCreateSubDevices(device, equally, 64, parts, &count), "clCreateSubDevices");
	for (cl_uint i = 0; i + 1 < count; i++)
		clReleaseDevice(parts[i]);
	return parts[count - 1];
}

/* OpenCL 1.0 had this function; many drivers refuse it. */
static void change_properties(cl_command_queue queue)
{
	static const struct {
		cl_command_queue_properties flags;
		cl_bool enable;
	} changes[] = {
		{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_TRUE},
		{CL_QUEUE_PROFILING_ENABLE, CL_TRUE},
		{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_FALSE},
		{CL_QUEUE_PROFILING_ENABLE, CL_FALSE},
		{CL_QUEUE_PROFILING_ENABLE, CL_FALSE},
		{1 << 20, CL_TRUE},
	};

	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		cl_command_queue_properties old = 77, now = 77;
		cl_int status = clSetCommandQueueProperty(queue, changes[i].flags,
							  changes[i].enable, i ? &old : NULL);

		clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(now), &now, NULL);
		printf("change %zu: error %d, were %d, are %d\n", i, status, (int)old, (int)now);
	}
}

static cl_command_queue make_queue(const struct options *options, cl_context context,
				   cl_device_id device)
{
	cl_command_queue_properties flags = options->profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
	const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, flags, 0};
	cl_command_queue queue;
	cl_int status;

	if (options->properties)
		queue = clCreateCommandQueueWithProperties(context, device, properties, &status);
	else
		queue = clCreateCommandQueue(context, device, flags, &status);
	check(status, "making a queue");
	check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(flags), &flags, NULL),
	      "clGetCommandQueueInfo");
	printf("queue properties %d\n", (int)flags);
	if (options->changing)
		change_properties(queue);
	return queue;
}

static cl_kernel first_kernel(cl_program program)
{
	cl_kernel kernels[2] = {NULL, NULL};
	cl_uint count = 7;

	printf("no kernels: %d", clCreateKernelsInProgram(program, 0, kernels, &count));
	printf(" of %u\n", count);
	check(clCreateKernelsInProgram(program, 1, kernels, NULL), "clCreateKernelsInProgram");
	check(clCreateKernelsInProgram(program, 0, NULL, &count), "clCreateKernelsInProgram");
	printf("kernels: %u\n", count);
	return kernels[0];
}

static void make(struct things *things, const struct options *options)
{
	static const char *source =
		"__kernel void hello(__global int *all, __local int *part)\n"
		"{\n"
		"	part[get_local_id(0)] = all[get_global_id(0) % 16];\n"
		"	all[get_global_id(0) % 16] = part[get_local_id(0)];\n"
		"}\n";
	cl_int status;

	things->device = find_device(options->device);
	if (options->part)
		things->device = part_of(things->device);
	things->context = clCreateContext(NULL, 1, &things->device, NULL, NULL, &status);
	check(status, "clCreateContext");
	for (int i = 0; i < options->queues; i++)
		things->queues[i] = make_queue(options, things->context, things->device);
	for (int i = 0; i < 2; i++) {
		things->buffers[i] = clCreateBuffer(things->context, CL_MEM_ALLOC_HOST_PTR, 4096,
						    NULL, &status);
		check(status, "clCreateBuffer");
	}
	things->program = clCreateProgramWithSource(things->context, 1, &source, NULL, &status);
	check(status, "clCreateProgramWithSource");
	check(clBuildProgram(things->program, 0, NULL, options->build, NULL, NULL),
	      "clBuildProgram");
	things->kernel = options->all_kernels ? first_kernel(things->program)
					      : clCreateKernel(things->program, "hello", &status);
	check(status, "clCreateKernel");
	check(clSetKernelArg(things->kernel, 0, sizeof(cl_mem), &things->buffers[0]),
	      "clSetKernelArg");
	check(clSetKernelArg(things->kernel, 1, 1024, NULL), "clSetKernelArg");
}

/* A kernel in a context of its own. */
static void run_aside(const struct things *things, const struct options *options)
{
	struct things other = {0};
	struct options one = *options;
	size_t size = 64;

	one.queues = 1;
	make(&other, &one);
	check(clEnqueueNDRangeKernel(other.queues[0], other.kernel, 1, NULL, &size, &size, 0, NULL,
				     NULL),
	      "clEnqueueNDRangeKernel");
	clFinish(other.queues[0]);
	launch_release(&other, &one);
	(void)things;
}

static void print_clock(const char *what)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	printf("%s %lld\n", what, (long long)time.tv_sec * 1000000000 + time.tv_nsec);
}

static void read_options(struct options *options, int count, char **arguments)
{
	int option;

	while ((option = getopt(count, arguments, "d:q:n:i:m:b:w:ackoprstuxy")) != -1) {
		options->device = option == 'd' ? (unsigned)atoi(optarg) : options->device;
		options->queues = option == 'q' ? atoi(optarg) : options->queues;
		options->kernels = option == 'n' ? atol(optarg) : options->kernels;
		options->threads = option == 'm' ? atoi(optarg) : options->threads;
		options->pause = option == 'i' ? atoi(optarg) : options->pause;
		options->build = option == 'b' ? optarg : options->build;
		options->sleep = option == 'w' ? atoi(optarg) : options->sleep;
		options->aside |= option == 'a';
		options->properties |= option == 'c';
		options->all_kernels |= option == 'k';
		options->changing |= option == 'o';
		options->profiling |= option == 'p';
		options->references |= option == 'r';
		options->part |= option == 's';
		options->clock |= option == 't';
		options->unwaited |= option == 'u';
		options->twice |= option == 'y';
		options->unreleased |= option == 'x';
		if (option == '?')
			exit(EXIT_FAILURE);
	}
	if (options->queues < 1 || options->queues > QUEUES || options->threads > THREADS)
		exit(EXIT_FAILURE);
}

int main(int count, char **arguments)
{
	struct options options = {.queues = 1};
	static struct things things;

	read_options(&options, count, arguments);
	if (options.clock)
		print_clock("before");
	make(&things, &options);
	launch_references(&things, &options, "made");
	if (options.kernels)
		launch_threads(&things, &options);
	else
		launch_sequence(&things, &options);
	if (options.aside)
		run_aside(&things, &options);
	if (options.clock)
		print_clock("after");
	if (!options.unreleased)
		launch_release(&things, &options);
	fflush(stdout);
	if (options.sleep)
		usleep((useconds_t)options.sleep * 1000);
	return 0;
}

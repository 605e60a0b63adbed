/* SPDX-License-Identifier: MIT */
/*
 * Usage: patterns PART [kill]
 *	simple	the kernels of GVProf's sample op_pattern_simple, in words of their own
 *	types	elements of other types, vectors, parts of a buffer
 *	sample	a kernel that is launched seven times, and one three times
 *	merged	a kernel that adds one in 300 launches, one that sets the same value in parts of 100
 *		and 200 elements, and one whose contents are lines
 * With "kill" the program kills itself at its end.
 *
 * Prints a sum of the bytes of each buffer at the end.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

enum { COUNT = 1000, BYTES = COUNT * 4 };

static const char source[] =
	"__kernel void op1(__global float *p, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n / 2)\n"
	"		p[i] += 1;\n"
	"}\n"
	"__kernel void op2(__global float *p, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n / 4)\n"
	"		p[i] = 0;\n"
	"}\n"
	"__kernel void op3(__global float *p, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n / 2)\n"
	"		p[i] = 1 + i / 10000.0f;\n"
	"}\n"
	"__kernel void op4(__global int *p, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n / 2)\n"
	"		p[i] = 3;\n"
	"}\n"
	"__kernel void op5(__global int *p, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i % 2 && i < n)\n"
	"		p[i] = i;\n"
	"}\n"
	"typedef struct { int a, b; } pair;\n"
	"__kernel void bytes(__global uchar *p, int n) { p[get_global_id(0)] = 200; }\n"
	"__kernel void words(__global short *p, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	p[i] = -i % 100;\n"
	"}\n"
	"__kernel void steps(__global long *p, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	p[i] = 3 * i - 7;\n"
	"}\n"
	"__kernel void ramp(__global double *p, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	p[i] = 0.1 * i + 5;\n"
	"}\n"
	"__kernel void fours(__global float4 *p, int n) { p[get_global_id(0)] = 1.5f; }\n"
	"__kernel void threes(__global float3 *p, int n) { p[get_global_id(0)] = 2; }\n"
	"__kernel void pairs(__global pair *p, int n) { p[get_global_id(0)].a = 0; }\n"
	"__kernel void reads(__global const uint *p, int n)\n"
	"{\n"
	"	if (p[get_global_id(0)] == 77)\n"
	"		printf(\"77\\n\");\n"
	"}\n"
	"__kernel void line(__global int *p, int slope)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	p[i] = slope * i;\n"
	"}\n"
	"__kernel void set(__global int *p, int value) { p[get_global_id(0)] = value; }\n"
	"__kernel void add(__global int *p, int value) { p[get_global_id(0)] += value; }\n";

static struct opencl opencl;
static cl_command_queue queue;

static cl_mem zeros(size_t bytes)
{
	void *host = calloc(1, bytes);
	cl_mem buffer = opencl_buffer(opencl.context, bytes);

	if (!host)
		exit(1);
	opencl_check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL),
		     "clEnqueueWriteBuffer");
	free(host);
	return buffer;
}

/* Launches a kernel with a buffer and a number. */
static void launch(const char *name, cl_mem buffer, size_t items, cl_int number)
{
	cl_kernel kernel = opencl_kernel(opencl.program, name, buffer);

	opencl_check(clSetKernelArg(kernel, 1, sizeof(number), &number), "clSetKernelArg");
	opencl_launch(queue, kernel, items, 0, NULL);
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

static void end(cl_mem buffer, size_t bytes)
{
	unsigned char *host = malloc(bytes);
	unsigned long sum = 0;

	if (!host)
		exit(1);
	opencl_check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
	for (size_t i = 0; i < bytes; i++)
		sum = 31 * sum + host[i];
	printf("%016lx\n", sum);
	free(host);
	opencl_check(clReleaseMemObject(buffer), "clReleaseMemObject");
}

static void simple(void)
{
	cl_mem one = zeros(BYTES), two;

	launch("op1", one, COUNT, COUNT);
	launch("op2", one, COUNT, COUNT);
	launch("op3", one, COUNT, COUNT);
	two = zeros(BYTES);
	launch("op4", two, COUNT, COUNT);
	launch("op5", two, COUNT, COUNT);
	end(one, BYTES);
	end(two, BYTES);
}

static void type(const char *name, size_t items, size_t size)
{
	cl_mem buffer = zeros(items * size);

	launch(name, buffer, items, 0);
	end(buffer, items * size);
}

static void types(void)
{
	static const cl_buffer_region region = {BYTES / 2 / 128 * 128, 256};
	cl_mem whole = zeros(BYTES), part;
	cl_int status;

	type("bytes", COUNT, 1);
	type("words", COUNT, 2);
	type("steps", COUNT, 8);
	type("ramp", COUNT, 8);
	type("fours", COUNT, 16);
	type("threes", COUNT, 16);
	type("pairs", COUNT, 8);
	type("reads", COUNT, 4);
	part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region,
				 &status);
	opencl_check(status, "clCreateSubBuffer");
	launch("set", part, region.size / 4, -5);
	clReleaseMemObject(part);
	end(whole, BYTES);
}

static void sample(void)
{
	cl_mem buffer = zeros(BYTES);

	for (int i = 1; i <= 7; i++)
		launch("set", buffer, COUNT, i);
	for (int i = 1; i <= 3; i++)
		launch("add", buffer, COUNT, i);
	end(buffer, BYTES);
}

static void set_part(cl_mem whole, size_t offset, size_t elements)
{
	const cl_buffer_region region = {offset, elements * 4};
	cl_int status;
	cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
					&region, &status);

	opencl_check(status, "clCreateSubBuffer");
	launch("set", part, elements, 7);
	clReleaseMemObject(part);
}

static void merged(void)
{
	cl_mem counts = zeros(BYTES), parts = zeros(BYTES);

	for (int i = 0; i < 300; i++)
		launch("add", counts, COUNT, 1);
	set_part(parts, 0, 100);
	set_part(parts, 2048, 200);
	launch("line", parts, COUNT, 1);
	launch("line", parts, COUNT, 2);
	end(counts, BYTES);
	end(parts, BYTES);
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "";

	opencl_open(&opencl, source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	if (!strcmp(part, "simple"))
		simple();
	else if (!strcmp(part, "types"))
		types();
	else if (!strcmp(part, "sample"))
		sample();
	else if (!strcmp(part, "merged"))
		merged();
	else
		return 1;
	fflush(stdout);
	if (argc > 2 && !strcmp(argv[2], "kill"))
		raise(SIGKILL);
	clReleaseCommandQueue(queue);
	opencl_close(&opencl);
	return 0;
}

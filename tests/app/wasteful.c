/* SPDX-License-Identifier: MIT */
/*
 * Usage: wasteful [careful|maps|passed]. Wastes memory of the device in each of the ways that
 * `computeprof advise` finds, each once and in an object of its own size. With "careful" it does
 * the same work without any of them; with "maps" results are read by mappings. With "passed" a
 * kernel gets an object that it does not use, before the first use and between two.
 */
#include <stdbool.h>
#include <string.h>

#include "opencl.h"

enum {
	KIB = 1024,
	OTHER = 64 * KIB,
	EARLY = 80 * KIB,
	LATE = 96 * KIB,
	IDLE = 112 * KIB,
	UNUSED = 128 * KIB,
	TWINS = 144 * KIB, /* the second one could take the memory of the first */
	DEAD = 160 * KIB,
	LEAK = 176 * KIB,
};

static struct opencl opencl;
static cl_command_queue queue;
static cl_kernel kernel;
static char bytes[LEAK];
static bool maps;

static cl_mem allocate(size_t size)
{
	return opencl_buffer(opencl.context, size);
}

static void release(cl_mem memory)
{
	opencl_check(clFinish(queue), "clFinish");
	opencl_check(clReleaseMemObject(memory), "clReleaseMemObject");
}

/* A kernel that uses the object, and has ended on return. */
static void use(cl_mem memory)
{
	opencl_check(clSetKernelArg(kernel, 0, sizeof(memory), &memory), "clSetKernelArg");
	opencl_launch(queue, kernel, 64, 0, NULL);
	opencl_check(clFinish(queue), "clFinish");
}

static void fill(cl_mem memory, size_t size)
{
	opencl_check(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
		     "clEnqueueWriteBuffer");
}

static void fetch(cl_mem memory, size_t size)
{
	cl_int status;
	void *mapped;

	if (maps) {
		mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, size, 0, NULL,
					    NULL, &status);
		opencl_check(status, "clEnqueueMapBuffer");
		opencl_check(clEnqueueUnmapMemObject(queue, memory, mapped, 0, NULL, NULL),
			     "clEnqueueUnmapMemObject");
		return;
	}
	opencl_check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
}

/* A kernel that uses an object of its own. */
static void work(void)
{
	cl_mem memory = allocate(OTHER);

	use(memory);
	release(memory);
}

static void waste_time(void)
{
	cl_mem memory = allocate(EARLY);

	work();
	use(memory);
	release(memory);
	memory = allocate(LATE);
	use(memory);
	work();
	release(memory);
	memory = allocate(IDLE);
	use(memory);
	work();
	use(memory);
	release(memory);
}

static void waste_memory(void)
{
	cl_mem memory = allocate(UNUSED), twin;

	release(memory);
	memory = allocate(TWINS);
	use(memory);
	twin = allocate(TWINS);
	use(twin);
	release(twin);
	release(memory); /* this is late, too */
	memory = allocate(DEAD);
	fill(memory, DEAD);
	fill(memory, DEAD); /* nothing has read the first one */
	use(memory);
	fetch(memory, DEAD);
	release(memory);
	memory = allocate(LEAK);
	use(memory);
}

static void be_careful(void)
{
	static const size_t sizes[] = {EARLY, LATE, IDLE, TWINS, DEAD, LEAK};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		cl_mem memory = allocate(sizes[i]);

		fill(memory, sizes[i]);
		use(memory);
		use(memory);
		fetch(memory, sizes[i]);
		fill(memory, sizes[i]);
		use(memory);
		release(memory);
	}
}

static const char pair_source[] =
	"__kernel void first(__global int *a, __global int *b) { a[get_global_id(0)] = 1; }\n"
	"__kernel void both(__global int *a, __global int *b)\n"
	"{\n"
	"	a[get_global_id(0)] += b[get_global_id(0)];\n"
	"}\n";

static void pass(void)
{
	static const char *const names[] = {"first", "both", "first", "both"};
	cl_program program = opencl_build(opencl.context, pair_source);
	cl_mem first = allocate(EARLY), second = allocate(IDLE);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cl_kernel one = opencl_kernel(program, names[i], first);

		opencl_check(clSetKernelArg(one, 1, sizeof(second), &second), "clSetKernelArg");
		opencl_launch(queue, one, 64, 0, NULL);
		opencl_check(clFinish(queue), "clFinish");
		opencl_check(clReleaseKernel(one), "clReleaseKernel");
	}
	release(second);
	release(first);
	opencl_check(clReleaseProgram(program), "clReleaseProgram");
}

int main(int argc, char **argv)
{
	opencl_open(&opencl, opencl_source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	kernel = opencl_kernel(opencl.program, "twice", NULL);
	maps = argc > 1 && !strcmp(argv[1], "maps");
	if (argc > 1 && !strcmp(argv[1], "careful")) {
		be_careful();
	} else if (argc > 1 && !strcmp(argv[1], "passed")) {
		pass();
	} else {
		waste_time();
		waste_memory();
	}
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_close(&opencl);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Usage: uses [PART]...
 *	arguments	arguments of kernels, of all kinds, and kernels with reused handles
 *	copies		copies, fills and migrations of buffers
 *	maps		mappings
 *	images		the same of images
 *	shared		shared virtual memory
 *	threads		threads that share a kernel, and clones of it
 *	kill		the program kills itself at its end
 */
#include "uses.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names that are put together hide from the profiler how the kernels use their arguments. */
static const char source[] =
	"#define JOIN(a, b) a##b\n"
	"__kernel void add(__global const int *from, __global int *to,\n"
	"		__constant int *table, int count)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < count)\n"
	"		to[i] = from[i] + table[0];\n"
	"}\n"
	"__kernel void many(__global int *a, long number, __global int *b,\n"
	"		__local int *c, __global int *d, int e, __global int *f,\n"
	"		__global int *g, __global int *h, __global int *i, __global int *j,\n"
	"		__global int *k)\n"
	"{\n"
	"	if (number == 1)\n"
	"		*c = *a = *b = *d = *f = *g = *h = *i = *j = *k = e;\n"
	"}\n"
	"__kernel void number(__global int *none, int value, __local int *memory)\n"
	"{\n"
	"	if (none)\n"
	"		*none = value;\n"
	"	*memory = value;\n"
	"}\n"
	"__kernel void pixels(__read_only image2d_t from, __write_only image2d_t to)\n"
	"{\n"
	"	int2 at = (int2)(get_global_id(0), 0);\n"
	"	write_imageui(to, at, read_imageui(from, at));\n"
	"}\n";

static const char plain_source[] =
	"#define LAST by_macro\n"
	"__kernel void plain(__global int *used, __global int *unused, __global int *by_macro,\n"
	"		__global int *from, __global const int *fixed, __global int *both)\n"
	"{\n"
	"	both[0]++;\n"
	"	used[0] = *LAST + from[0] + *fixed; // not unused\n"
	"}\n";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void uses_expect(const char *record, const char *access, const void *allocation, size_t offset,
		 size_t bytes, int argument, int flags)
{
	printf("%s %s %llx %zu %zu %d %d\n", record, access,
	       (unsigned long long)(uintptr_t)allocation, offset, bytes, argument, flags);
}

void uses_expect_none(const char *record)
{
	uses_expect(record, "none", NULL, 0, 0, NO_ARGUMENT, 0);
}

static cl_program build_informed(cl_context context)
{
	const char *text = source;
	cl_int status;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);

	opencl_check(status, "clCreateProgramWithSource");
	opencl_check(clBuildProgram(program, 0, NULL, "-cl-kernel-arg-info", NULL, NULL),
		     "clBuildProgram");
	return program;
}

static cl_mem make(struct uses *uses, cl_mem_flags flags)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(uses->opencl.context, flags, USES_SIZE, NULL, &status);

	opencl_check(status, "clCreateBuffer");
	return buffer;
}

static void start(struct uses *uses)
{
	const cl_buffer_region region = {PART_OFFSET, PART_SIZE};
	cl_int status;

	opencl_open(&uses->opencl, source);
	uses->informed = build_informed(uses->opencl.context);
	uses->plain = opencl_build(uses->opencl.context, plain_source);
	uses->queue = opencl_queue(uses->opencl.context, uses->opencl.devices[0], 0);
	uses->buffer = make(uses, CL_MEM_READ_WRITE);
	uses->reads = make(uses, CL_MEM_READ_ONLY);
	uses->writes = make(uses, CL_MEM_WRITE_ONLY);
	uses->part = clCreateSubBuffer(uses->buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
				       &status);
	opencl_check(status, "clCreateSubBuffer");
	uses->host = calloc(1, USES_SIZE);
	opencl_check(uses->host ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "calloc");
}

static void end(struct uses *uses)
{
	opencl_check(clFinish(uses->queue), "clFinish");
	free(uses->host);
	opencl_check(clReleaseMemObject(uses->part), "clReleaseMemObject");
	opencl_check(clReleaseMemObject(uses->buffer), "clReleaseMemObject");
	opencl_check(clReleaseMemObject(uses->reads), "clReleaseMemObject");
	opencl_check(clReleaseMemObject(uses->writes), "clReleaseMemObject");
	opencl_check(clReleaseCommandQueue(uses->queue), "clReleaseCommandQueue");
	opencl_check(clReleaseProgram(uses->informed), "clReleaseProgram");
	opencl_check(clReleaseProgram(uses->plain), "clReleaseProgram");
	opencl_close(&uses->opencl);
}

static void copies(struct uses *uses)
{
	static const int pattern = 7;

	opencl_check(clEnqueueWriteBuffer(uses->queue, uses->buffer, CL_FALSE, 16, 1000, uses->host,
					  0, NULL, NULL),
		     "clEnqueueWriteBuffer");
	uses_expect("copy", "write", uses->buffer, 16, 1000, NO_ARGUMENT, 0);
	opencl_check(clEnqueueReadBuffer(uses->queue, uses->part, CL_TRUE, 8, 24, uses->host, 0,
					 NULL, NULL),
		     "clEnqueueReadBuffer");
	uses_expect("copy", "read", uses->buffer, PART_OFFSET + 8, 24, NO_ARGUMENT, 0);
	opencl_check(clEnqueueCopyBuffer(uses->queue, uses->part, uses->writes, 4, 12, 100, 0, NULL,
					 NULL),
		     "clEnqueueCopyBuffer");
	uses_expect("copy", "read", uses->buffer, PART_OFFSET + 4, 100, NO_ARGUMENT, 0);
	uses_expect("copy", "write", uses->writes, 12, 100, NO_ARGUMENT, 0);
	opencl_check(clEnqueueFillBuffer(uses->queue, uses->reads, &pattern, sizeof(pattern), 32,
					 64, 0, NULL, NULL),
		     "clEnqueueFillBuffer");
	uses_expect("fill", "write", uses->reads, 32, 64, NO_ARGUMENT, 0);
	if (opencl_did(clEnqueueReadBuffer(uses->queue, uses->buffer, CL_TRUE, USES_SIZE, 1,
					   uses->host, 0, NULL, NULL),
		       "clEnqueueReadBuffer beyond the end"))
		opencl_check(CL_INVALID_OPERATION, "it was accepted");
}

static void rectangles(struct uses *uses)
{
	static const size_t zero[3] = {0, 0, 0}, origin[3] = {4, 2, 1}, region[3] = {32, 5, 3};
	static const size_t rows[3] = {64, 5, 3};
	const size_t from = 4 + 2 * 64 + 640, bytes = 32 + 4 * 64 + 2 * 640;

	opencl_check(clEnqueueWriteBufferRect(uses->queue, uses->buffer, CL_FALSE, origin, zero,
					      region, 64, 640, 0, 0, uses->host, 0, NULL, NULL),
		     "clEnqueueWriteBufferRect");
	uses_expect("copy", "write", uses->buffer, from, bytes, NO_ARGUMENT, PARTIAL);
	opencl_check(clEnqueueReadBufferRect(uses->queue, uses->buffer, CL_TRUE, zero, zero, rows,
					     0, 0, 0, 0, uses->host, 0, NULL, NULL),
		     "clEnqueueReadBufferRect");
	uses_expect("copy", "read", uses->buffer, 0, 64 * 5 * 3, NO_ARGUMENT, 0);
	opencl_check(clEnqueueCopyBufferRect(uses->queue, uses->buffer, uses->writes, zero, origin,
					     region, 0, 0, 64, 640, 0, NULL, NULL),
		     "clEnqueueCopyBufferRect");
	uses_expect("copy", "read", uses->buffer, 0, 32 * 5 * 3, NO_ARGUMENT, 0);
	uses_expect("copy", "write", uses->writes, from, bytes, NO_ARGUMENT, PARTIAL);
}

static void migrations(struct uses *uses)
{
	const cl_mem all[2] = {uses->reads, uses->part};

	if (opencl_did(clEnqueueMigrateMemObjects(uses->queue, 2, all, CL_MIGRATE_MEM_OBJECT_HOST,
						  0, NULL, NULL),
		       "clEnqueueMigrateMemObjects")) {
		uses_expect("copy", "read", uses->reads, 0, USES_SIZE, NO_ARGUMENT, 0);
		uses_expect("copy", "read", uses->buffer, PART_OFFSET, PART_SIZE, NO_ARGUMENT, 0);
	}
	if (opencl_did(clEnqueueMigrateMemObjects(uses->queue, 1, all,
						  CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL,
						  NULL),
		       "clEnqueueMigrateMemObjects"))
		uses_expect("copy", "write", uses->reads, 0, USES_SIZE, NO_ARGUMENT, 0);
}

static void buffers(struct uses *uses)
{
	copies(uses);
	rectangles(uses);
	migrations(uses);
}

static void *map_bytes(struct uses *uses, cl_mem buffer, cl_map_flags flags, size_t offset,
		       size_t bytes)
{
	cl_int status;
	void *memory = clEnqueueMapBuffer(uses->queue, buffer, CL_TRUE, flags, offset, bytes, 0,
					  NULL, NULL, &status);

	opencl_check(status, "clEnqueueMapBuffer");
	return memory;
}

static void *map(struct uses *uses, cl_mem buffer, cl_map_flags flags, size_t offset)
{
	return map_bytes(uses, buffer, flags, offset, 256);
}

static void unmap(struct uses *uses, cl_mem buffer, void *memory)
{
	opencl_check(clEnqueueUnmapMemObject(uses->queue, buffer, memory, 0, NULL, NULL),
		     "clEnqueueUnmapMemObject");
}

static void maps(struct uses *uses)
{
	void *memory = map(uses, uses->buffer, CL_MAP_READ, 128), *again;

	uses_expect("copy", "read", uses->buffer, 128, 256, NO_ARGUMENT, 0);
	unmap(uses, uses->buffer, memory);
	uses_expect_none("copy");
	memory = map(uses, uses->part, CL_MAP_WRITE, 64);
	uses_expect("copy", "read", uses->buffer, PART_OFFSET + 64, 256, NO_ARGUMENT, 0);
	unmap(uses, uses->part, memory);
	uses_expect("copy", "write", uses->buffer, PART_OFFSET + 64, 256, NO_ARGUMENT, PARTIAL);
	memory = map(uses, uses->buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0);
	uses_expect_none("copy");
	unmap(uses, uses->buffer, memory);
	uses_expect("copy", "write", uses->buffer, 0, 256, NO_ARGUMENT, 0);
	memory = map(uses, uses->buffer, CL_MAP_WRITE, 512);
	uses_expect("copy", "read", uses->buffer, 512, 256, NO_ARGUMENT, 0);
	again = map(uses, uses->buffer, CL_MAP_READ, 512);
	uses_expect("copy", "read", uses->buffer, 512, 256, NO_ARGUMENT, 0);
	unmap(uses, uses->buffer, memory);
	uses_expect_none("copy");
	unmap(uses, uses->buffer, again);
	uses_expect("copy", "write", uses->buffer, 512, 256, NO_ARGUMENT, PARTIAL);
}

/* Only what the program may write is written, whatever else is mapped at the same place. */
static void maps_of_one_place(struct uses *uses, cl_map_flags flags, size_t bytes, int write_flags)
{
	void *memory = map_bytes(uses, uses->buffer, CL_MAP_READ, 1024, 256), *again;

	uses_expect("copy", "read", uses->buffer, 1024, 256, NO_ARGUMENT, 0);
	again = map_bytes(uses, uses->buffer, flags, 1024, bytes);
	if (flags == CL_MAP_WRITE_INVALIDATE_REGION)
		uses_expect_none("copy");
	else
		uses_expect("copy", "read", uses->buffer, 1024, bytes, NO_ARGUMENT, 0);
	unmap(uses, uses->buffer, memory);
	uses_expect_none("copy");
	unmap(uses, uses->buffer, again);
	uses_expect("copy", "write", uses->buffer, 1024, bytes, NO_ARGUMENT, write_flags);
}

static void all_maps(struct uses *uses)
{
	maps(uses);
	maps_of_one_place(uses, CL_MAP_WRITE, 128, PARTIAL);
	maps_of_one_place(uses, CL_MAP_WRITE, 512, PARTIAL);
	maps_of_one_place(uses, CL_MAP_WRITE_INVALIDATE_REGION, 128, 0);
}

struct worker {
	pthread_t thread;
	struct uses *uses;
	cl_kernel shared;
	cl_mem own;
};

enum { THREADS = 4, ROUNDS = 200 };

static void launch(struct worker *worker, cl_kernel kernel)
{
	static const size_t one = 1;
	bool known = uses_is_informed(kernel);

	opencl_check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &worker->own), "clSetKernelArg");
	opencl_check(clEnqueueNDRangeKernel(worker->uses->queue, kernel, 1, NULL, &one, NULL, 0,
					    NULL, NULL),
		     "clEnqueueNDRangeKernel");
	uses_expect("kernel", known ? "read" : "read-write", worker->uses->buffer, 0, 0, 0,
		    PARTIAL | (known ? 0 : ASSUMED));
	uses_expect("kernel", "read-write", worker->own, 0, 0, 1, ASSUMED | PARTIAL);
	uses_expect("kernel", "read", worker->uses->reads, 0, 0, 2, PARTIAL);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	cl_int status;

	for (int i = 0; i < ROUNDS; i++) {
		cl_kernel clone;

		pthread_mutex_lock(&lock);
		launch(worker, worker->shared);
		clone = clCloneKernel(worker->shared, &status);
		pthread_mutex_unlock(&lock);
		if (!clone)
			continue;
		launch(worker, clone);
		opencl_check(clReleaseKernel(clone), "clReleaseKernel");
	}
	return NULL;
}

static void threads(struct uses *uses)
{
	struct worker workers[THREADS];
	static const int count = 0;
	cl_kernel kernel = opencl_kernel(uses->opencl.program, "add", uses->buffer);

	opencl_check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &uses->reads), "clSetKernelArg");
	opencl_check(clSetKernelArg(kernel, 3, sizeof(count), &count), "clSetKernelArg");
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.uses = uses, .shared = kernel};
		workers[i].own = make(uses, CL_MEM_READ_WRITE);
		opencl_check(pthread_create(&workers[i].thread, NULL, work, &workers[i]),
			     "pthread_create");
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		opencl_check(clFinish(uses->queue), "clFinish");
		opencl_check(clReleaseMemObject(workers[i].own), "clReleaseMemObject");
	}
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

static void kill_itself(struct uses *uses)
{
	opencl_check(clFinish(uses->queue), "clFinish");
	fflush(stdout);
	raise(SIGKILL);
}

/* clang-format off */
static const struct part {
	const char *name;
	void (*run)(struct uses *);
} parts[] = {
	{"arguments", uses_arguments},
	{"copies", buffers},
	{"maps", all_maps},
	{"images", uses_images},
	{"shared", uses_shared},
	{"threads", threads},
	{"kill", kill_itself},
};
/* clang-format on */

int main(int argc, char **argv)
{
	struct uses uses = {.queue = NULL};

	start(&uses);
	for (int i = 1; i < argc; i++)
		for (size_t part = 0; part < sizeof(parts) / sizeof(parts[0]); part++)
			if (!strcmp(argv[i], parts[part].name))
				parts[part].run(&uses);
	end(&uses);
	return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Usage: lines PART
 *	included OPTIONS [remove FILE|rewrite FILE|enter FOLDER]
 *		a program that includes part.h, which defines change(pointer to global int); the
 *		last words say what happens between build and launch
 *	counts	kernels whose loads and stores are known: arguments that are set again, local
 *		memory, copies of a kernel, a launch that waits for the program, threads
 *	again	kernels that are made and released in a loop
 *	rebuilt	programs that are built again, retained, and released between their kernels, in a
 *		context that ends
 *	late	a kernel that waits for 12 seconds, and then one that does not
 *	many	more programs without kernels than are kept
 *	odd	programs that must run as they are
 *	required	launches of a kernel with an attribute for the size of its work-groups, with
 *		sizes that the driver may refuse
 *
 * Prints a sum of what the kernels have written.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opencl.h"

enum { COUNT = 64, GROUP = 16, BYTES = COUNT * 4, LOOPS = 20, THREADS = 2, MANY = 66 };

static const char counts[] =
	"__kernel void scale(__global const int *in, __global int *out, int by)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	out[i] = in[i] * by;\n"
	"}\n"
	"__kernel void total(__global const int *in, __global int *out, __local int *part)\n"
	"{\n"
	"	int i = get_local_id(0), sum = 0;\n"
	"	part[i] = in[get_global_id(0)];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	if (i)\n"
	"		return;\n"
	"	for (int j = 0; j < get_local_size(0); j++)\n"
	"		sum += part[j];\n"
	"	out[get_group_id(0)] = sum;\n"
	"}\n"
	"__kernel void add(__global int *out) { out[get_global_id(0)]++; }\n"
	"void unused(__global int *out) { *out = 1; }\n";

static struct opencl opencl;
static cl_command_queue queue;

static void print(cl_mem buffer)
{
	int numbers[COUNT];
	unsigned sum = 0;

	opencl_check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, numbers, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
	for (int i = 0; i < COUNT; i++)
		sum = sum * 31 + (unsigned)numbers[i];
	printf("%u\n", sum);
}

static cl_mem buffer_of(int start, int step)
{
	cl_mem buffer = opencl_buffer(opencl.context, BYTES);
	int numbers[COUNT];

	for (int i = 0; i < COUNT; i++)
		numbers[i] = start + i * step;
	opencl_check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES, numbers, 0, NULL, NULL),
		     "clEnqueueWriteBuffer");
	return buffer;
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	opencl_check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

static void launch(cl_kernel kernel, size_t local)
{
	opencl_launch(queue, kernel, COUNT, local, NULL);
}

/* A launch behind a user event that the program completes later. */
static void wait_for_program(cl_kernel kernel)
{
	static const size_t count = COUNT;
	cl_event gate = opencl_gate(opencl.context);

	opencl_check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 1, &gate, NULL),
		     "clEnqueueNDRangeKernel");
	opencl_check(clFlush(queue), "clFlush");
	opencl_check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	opencl_check(clFinish(queue), "clFinish");
	clReleaseEvent(gate);
}

static void run_counts(void)
{
	cl_mem in = buffer_of(0, 1), out = buffer_of(5, 5), other = buffer_of(7, 0);
	cl_kernel scale = opencl_kernel(opencl.program, "scale", in), copy = NULL;
	cl_kernel total = opencl_kernel(opencl.program, "total", in);
	int by = 5;

	set(scale, 1, sizeof(out), &out);
	set(scale, 2, sizeof(by), &by);
	launch(scale, GROUP); /* one value is what it was */
	print(out);
	by = 0;
	set(scale, 2, sizeof(by), &by);
	launch(scale, GROUP);
	launch(scale, GROUP); /* all stores are silent */
	print(out);
	copy = clCloneKernel(scale, NULL);
	if (copy) {
		set(copy, 1, sizeof(other), &other);
		launch(copy, GROUP);
		print(other);
		clReleaseKernel(copy);
	}
	wait_for_program(scale);
	set(total, 1, sizeof(out), &out);
	set(total, 2, GROUP * sizeof(int), NULL);
	launch(total, GROUP);
	launch(total, 0);
	print(out);
	clReleaseKernel(scale);
	clReleaseKernel(total);
	clReleaseMemObject(in);
	clReleaseMemObject(out);
	clReleaseMemObject(other);
}

static void *add(void *unused)
{
	cl_mem out = buffer_of(0, 0);
	cl_kernel kernel = opencl_kernel(opencl.program, "add", out);

	for (int i = 0; i < LOOPS; i++)
		launch(kernel, GROUP);
	opencl_check(clFinish(queue), "clFinish");
	clReleaseKernel(kernel);
	clReleaseMemObject(out);
	return unused;
}

static void run_threads(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, add, NULL))
			exit(EXIT_FAILURE);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void run_again(void)
{
	cl_mem out = buffer_of(0, 0);
	cl_kernel kernels[8];
	cl_uint count = 0;

	for (int i = 0; i < LOOPS; i++) {
		kernels[0] = opencl_kernel(opencl.program, "add", out);
		clRetainKernel(kernels[0]);
		clReleaseKernel(kernels[0]);
		launch(kernels[0], GROUP);
		clReleaseKernel(kernels[0]);
	}
	opencl_check(clCreateKernelsInProgram(opencl.program, 8, kernels, &count),
		     "clCreateKernelsInProgram");
	for (cl_uint i = 0; i < count; i++)
		clReleaseKernel(kernels[i]);
	print(out);
	clReleaseMemObject(out);
}

static cl_program program_of(const char *source)
{
	cl_int status;
	cl_program program = clCreateProgramWithSource(opencl.context, 1, &source, NULL, &status);

	opencl_check(status, "clCreateProgramWithSource");
	return program;
}

static void build(cl_program program, const char *options)
{
	opencl_check(clBuildProgram(program, 1, opencl.devices, options, NULL, NULL),
		     "clBuildProgram");
}

/* Makes the program's kernel "odd", runs it and releases it. */
static void run_once(cl_program program)
{
	cl_mem out = buffer_of(1, 1);
	cl_kernel kernel = opencl_kernel(program, "odd", out);

	launch(kernel, GROUP);
	print(out);
	clReleaseKernel(kernel);
	clReleaseMemObject(out);
}

static const char multiply[] =
	"__kernel void odd(__global int *a) { a[get_global_id(0)] *= BY; }\n";

static void run_rebuilt(void)
{
	cl_program program = program_of(multiply), other;
	cl_mem out = buffer_of(1, 1);
	cl_kernel kernel;

	build(program, "-DBY=2");
	run_once(program);
	clRetainProgram(program);
	run_once(program);
	clReleaseProgram(program);
	run_once(program);
	build(program, "-DBY=3");
	run_once(program);
	run_once(program);
	kernel = opencl_kernel(program, "odd", out);
	clReleaseProgram(program);
	/* A program that may get the handle, while the kernel is alive and after that. */
	for (int i = 0; i < 2; i++) {
		launch(kernel, GROUP);
		other = program_of(multiply);
		build(other, i ? "-DBY=7" : "-DBY=5");
		run_once(other);
		clReleaseProgram(other);
	}
	print(out);
	clReleaseKernel(kernel);
	other = program_of(multiply);
	build(other, "-DBY=11");
	run_once(other);
	clReleaseProgram(other);
	clReleaseMemObject(out);
}

static void run_many(void)
{
	cl_program programs[MANY];
	char options[32];

	for (int i = 0; i < MANY; i++) {
		programs[i] = program_of(multiply);
		snprintf(options, sizeof(options), "-DBY=%d", i);
		build(programs[i], options);
		run_once(programs[i]);
	}
	run_once(programs[MANY - 1]);
	run_once(programs[0]);
	for (int i = 0; i < MANY; i++)
		clReleaseProgram(programs[i]);
}

static void *set_flag(void *flag)
{
	sleep(12);
	__atomic_store_n((int *)flag, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void run_late(void)
{
	static int flag;
	cl_program program = program_of("__kernel void odd(__global int *a, __global int *flag)\n"
					"{\n"
					"	while (!atomic_or(flag, 0))\n"
					"		;\n"
					"	a[get_global_id(0)] *= 2;\n"
					"}\n");
	cl_mem out = buffer_of(1, 1), shared;
	cl_int status;
	cl_kernel kernel;
	pthread_t thread;

	shared = clCreateBuffer(opencl.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
				sizeof(flag), &flag, &status);
	opencl_check(status, "clCreateBuffer");
	build(program, "");
	for (int i = 0; i < 2; i++) {
		kernel = opencl_kernel(program, "odd", out);
		set(kernel, 1, sizeof(shared), &shared);
		if (!i && pthread_create(&thread, NULL, set_flag, &flag))
			exit(EXIT_FAILURE);
		launch(kernel, GROUP);
		print(out);
		clReleaseKernel(kernel);
	}
	pthread_join(thread, NULL);
	clReleaseProgram(program);
	clReleaseMemObject(out);
	clReleaseMemObject(shared);
}

static atomic_bool has_ended;

static void CL_CALLBACK ended(cl_context context, void *unused)
{
	(void)context;
	(void)unused;
	atomic_store(&has_ended, true);
}

/* PoCL's own thread may release the last command after the program has waited for it. */
static void wait_for_end(void)
{
	for (int i = 0; i < 5000 && !atomic_load(&has_ended); i++)
		usleep(1000);
	puts(atomic_load(&has_ended) ? "the context has ended" : "the context has not ended");
}

/* What happens between build and launch, and to which file. */
static const char *deed = "", *victim;

static void do_deed(void)
{
	FILE *file;

	if (!strcmp(deed, "remove")) {
		remove(victim);
	} else if (!strcmp(deed, "rewrite")) {
		file = fopen(victim, "w");
		if (!file ||
		    fputs("inline void change(__global int *a) { *a -= 1; }\n", file) < 0 ||
		    fclose(file))
			exit(EXIT_FAILURE);
	} else if (!strcmp(deed, "enter") && chdir(victim)) {
		exit(EXIT_FAILURE);
	}
}

/* Builds the source with options, and runs its kernel "odd". */
static void run_odd(const char *source, const char *options)
{
	cl_program program = clCreateProgramWithSource(opencl.context, 1, &source, NULL, NULL);
	cl_mem out = buffer_of(1, 1);
	cl_kernel kernel;

	if (!opencl_did(clBuildProgram(program, 1, opencl.devices, options, NULL, NULL),
			"clBuildProgram"))
		return;
	do_deed();
	kernel = opencl_kernel(program, "odd", out);
	launch(kernel, GROUP);
	launch(kernel, GROUP);
	print(out);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseMemObject(out);
}

static void run_all_odd(void)
{
	run_odd("__kernel void odd(__global int *a)\n"
		"{\n"
		"#ifdef __GPU__\n"
		"	a[get_global_id(0)] = 1;\n"
		"#else\n"
		"	a[get_global_id(0)] *= 2;\n"
		"#endif\n"
		"}\n",
		"");
	run_odd("__kernel void odd(__global int *a)\n"
		"{\n"
		"#ifdef CLANG_MAJOR\n"
		"	a[get_global_id(0)] = 1;\n"
		"#else\n"
		"	a[get_global_id(0)] *= 2;\n"
		"#endif\n"
		"}\n",
		"");
	run_odd("#line 1000 \"odd.cl\"\n"
		"__kernel void odd(__global int *a) { a[get_global_id(0)] = __LINE__; }\n",
		"");
	run_odd("#define D D_\n"
		"__kernel void odd(__global int *a) { a[get_global_id(0)] += D; }\n",
		"-DD_=\"(3)\"");
	run_odd("__global int kept = 3;\n"
		"__kernel void odd(__global int *a) { a[get_global_id(0)] += kept; }\n",
		"-cl-std=CL2.0");
	run_odd("void set(__global int4 *p) { p->y = 2; }\n"
		"__kernel void odd(__global int4 *a) { set(a + get_global_id(0) / 4); }\n",
		"");
	run_odd("__kernel void odd(__global int *a) { }\n", "");
	/* This one is counted. */
	run_odd("__kernel void odd(__global int *a) { a[get_global_id(0)] *= 3; }\n",
		"-cl-std=CL1.1");
}

/* Prints what the driver returns without a size, with the right one, and with others. */
static void run_required(void)
{
	static const size_t count = COUNT, sizes[] = {0, GROUP, GROUP / 2, 3};
	cl_program program =
		program_of("__kernel __attribute__((reqd_work_group_size(16, 1, 1)))\n"
			   "void fixed(__global int *a) { a[get_global_id(0)] += 3; }\n");
	cl_mem buffer = buffer_of(0, 1);
	cl_kernel kernel;

	build(program, "");
	kernel = opencl_kernel(program, "fixed", buffer);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		printf("%zu: %d, ", sizes[i],
		       clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count,
					      sizes[i] ? &sizes[i] : NULL, 0, NULL, NULL));
		print(buffer);
	}
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	clReleaseMemObject(buffer);
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "";

	opencl_open(&opencl, counts);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	if (!strcmp(part, "counts")) {
		run_counts();
		run_threads();
	} else if (!strcmp(part, "again")) {
		run_again();
	} else if (!strcmp(part, "rebuilt")) {
		opencl_check(clSetContextDestructorCallback(opencl.context, ended, NULL),
			     "clSetContextDestructorCallback");
		run_rebuilt();
	} else if (!strcmp(part, "late")) {
		run_late();
	} else if (!strcmp(part, "many")) {
		run_many();
	} else if (!strcmp(part, "odd")) {
		run_all_odd();
	} else if (!strcmp(part, "required")) {
		run_required();
	} else if (!strcmp(part, "included") && argc > 2) {
		deed = argc > 4 ? argv[3] : "";
		victim = argv[argc - 1];
		run_odd("#include \"part.h\"\n"
			"__kernel void odd(__global int *a)\n"
			"{\n"
			"	change(a + get_global_id(0));\n"
			"}\n",
			argv[2]);
	} else {
		fprintf(stderr, "lines: what is %s?\n", part);
		return EXIT_FAILURE;
	}
	clReleaseCommandQueue(queue);
	opencl_close(&opencl);
	if (!strcmp(part, "rebuilt"))
		wait_for_end();
	return EXIT_SUCCESS;
}

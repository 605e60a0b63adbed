/* SPDX-License-Identifier: MIT */
/*
 * Usage: flow PART [SEED [kill]]
 *	graph		copies and kernels, some of which change nothing
 *	twice		a kernel that gets a buffer twice, and a write of a single byte
 *	random		300 random writes of three buffers, each with what it changes
 *	gate		commands behind a user event, and behind one that is never completed
 *	callback	commands that a callback of an event makes
 *	denied		buffers that the host may not read, images, and one that is too large
 *	threads		four threads, each with a queue and a buffer of its own
 *	shared		four threads that write one buffer, each a number of its own
 *	borrowed	a thread that releases buffers in whose last command another one still is
 *	stuck		a kernel that waits for the program beside threads that launch others;
 *			exits with 3 if no memory is shared in fine grain
 *	release		queues and buffers that come and go
 *	scarce		buffers of a process that has little address space left
 *	counts		prints the reference count of the context instead
 * With "kill" the program kills itself at its end.
 *
 * Prints, for each write that can be compared, its bytes and how many of them are as before, those
 * in words of 4 bytes that are as before, and those that have changed; "lost" if the contents
 * before are not known. Other output goes to stderr. Exits with 1 if a result is wrong.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "flow.h"

static const char source[] =
	"__kernel void add(__global int *l, __global int *r, __global int *p, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n)\n"
	"		p[i] = l[i] + r[i];\n"
	"}\n"
	"__kernel void copy(__global int *l, __global int *r, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n)\n"
	"		l[i] = r[i];\n"
	"}\n"
	"__kernel void increment(__global int *l, __global int *r, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n)\n"
	"		l[i] = *(r + i) + 1;\n"
	"}\n"
	"__kernel void add_odd(__global int *l, __global int *r, __global int *p,\n"
	"		int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n && i % 2)\n"
	"		p[i] = l[i] + r[i];\n"
	"}\n"
	"__kernel void set(__global int *p, int first, int step, int value)\n"
	"{\n"
	"	p[first + get_global_id(0) * step] = value;\n"
	"}\n"
	"__kernel void add_one(__global int *p, int i)\n"
	"{\n"
	"	p[i]++;\n"
	"}\n"
	"__kernel void wait_for(__global volatile int *flag)\n"
	"{\n"
	"	while (!*flag)\n"
	"		;\n"
	"}\n";

struct opencl flow_opencl;
cl_command_queue flow_queue;

cl_mem flow_buffer(cl_mem_flags flags, size_t bytes, void *host)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(flow_opencl.context, flags, bytes, host, &status);

	opencl_check(status, "clCreateBuffer");
	return buffer;
}

void flow_set_memory(cl_kernel kernel, cl_uint index, cl_mem memory)
{
	opencl_check(clSetKernelArg(kernel, index, sizeof(memory), &memory), "clSetKernelArg");
}

void flow_set_int(cl_kernel kernel, cl_uint index, cl_int value)
{
	opencl_check(clSetKernelArg(kernel, index, sizeof(value), &value), "clSetKernelArg");
}

void flow_write(cl_mem buffer, const void *host, size_t offset, size_t bytes)
{
	opencl_check(clEnqueueWriteBuffer(flow_queue, buffer, CL_TRUE, offset, bytes, host, 0, NULL,
					  NULL),
		     "clEnqueueWriteBuffer");
}

void flow_copy(cl_mem from, cl_mem to, size_t offset, size_t bytes)
{
	opencl_check(
		clEnqueueCopyBuffer(flow_queue, from, to, offset, offset, bytes, 0, NULL, NULL),
		"clEnqueueCopyBuffer");
}

void flow_launch(const char *name, int count, const cl_mem *memory)
{
	cl_kernel kernel = opencl_kernel(flow_opencl.program, name, NULL);

	for (int i = 0; i < count; i++)
		flow_set_memory(kernel, (cl_uint)i, memory[i]);
	flow_set_int(kernel, (cl_uint)count, COUNT);
	opencl_launch(flow_queue, kernel, COUNT, 0, NULL);
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

/* Three buffers of the device: two sources and a result. */
static void graph(void)
{
	cl_mem l, r, p;
	cl_int host[COUNT], result[COUNT];

	l = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
	r = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
	p = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
	for (int i = 0; i < COUNT; i++)
		host[i] = i;
	flow_write(l, host, 0, BYTES);
	flow_write(r, host, 0, BYTES);
	flow_write(l, host, 0, BYTES); /* as before */
	flow_copy(r, l, 0, BYTES / 2); /* as before */
	flow_copy(r, l, BYTES / 2, BYTES / 2);
	flow_launch("add", 3, (cl_mem[]){l, r, p});
	flow_launch("copy", 2, (cl_mem[]){p, p});	/* as before */
	flow_launch("add_odd", 3, (cl_mem[]){l, r, p}); /* as before */
	opencl_check(clEnqueueReadBuffer(flow_queue, p, CL_TRUE, 0, BYTES, result, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
	for (int i = 0; i < COUNT; i++)
		if (result[i] != 2 * i)
			exit(1);
	clReleaseMemObject(l);
	clReleaseMemObject(r);
	clReleaseMemObject(p);
}

void flow_write_behind(cl_command_queue behind, cl_mem buffer, const void *host, cl_event gate)
{
	opencl_check(clEnqueueWriteBuffer(behind, buffer, CL_FALSE, 0, BYTES, host, gate ? 1 : 0,
					  gate ? &gate : NULL, NULL),
		     "clEnqueueWriteBuffer");
}

/* The queue of the profiler's reads is another one, so nothing waits for the gate. */
static void gate(void)
{
	cl_mem buffer = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL), other;
	cl_int host[COUNT], result[COUNT];
	cl_command_queue second = opencl_queue(flow_opencl.context, flow_opencl.devices[0], 0);
	cl_event event, never;

	other = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
	for (int i = 0; i < COUNT; i++)
		host[i] = i;
	flow_write_behind(flow_queue, other, host, NULL);
	printf("%d 0 0 %d\n", BYTES, COUNT - 4 + COUNT - 256); /* other bytes are 0 */
	event = opencl_gate(flow_opencl.context);
	flow_write_behind(flow_queue, buffer, host, event);
	flow_write_behind(second, other, host, NULL);
	opencl_check(clFinish(second), "clFinish");
	opencl_check(clSetUserEventStatus(event, CL_COMPLETE), "clSetUserEventStatus");
	opencl_check(clFinish(flow_queue), "clFinish");
	flow_write_behind(flow_queue, buffer, host, NULL);
	printf("lost\n");
	flow_write_behind(flow_queue, buffer, host, NULL);
	printf("%d %d %d 0\n", BYTES, BYTES, COUNT);
	opencl_check(
		clEnqueueReadBuffer(flow_queue, buffer, CL_TRUE, 0, BYTES, result, 0, NULL, NULL),
		"clEnqueueReadBuffer");
	if (memcmp(host, result, BYTES) != 0)
		exit(1);
	never = opencl_gate(flow_opencl.context);
	flow_write_behind(flow_queue, buffer, host, NULL);
	opencl_check(clFinish(flow_queue), "clFinish");
	clReleaseEvent(event);
	clReleaseEvent(never);
	clReleaseMemObject(buffer);
	clReleaseMemObject(other);
	clReleaseCommandQueue(second);
}

/* The program keeps the event of the command that fails: PoCL 3.1 uses it after the failure. */
static void failed(void)
{
	cl_mem buffer = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
	cl_event event, made = opencl_gate(flow_opencl.context);
	cl_int host[COUNT] = {0}, status;

	opencl_check(clEnqueueWriteBuffer(flow_queue, buffer, CL_FALSE, 0, BYTES, host, 1, &made,
					  &event),
		     "clEnqueueWriteBuffer");
	opencl_check(clSetUserEventStatus(made, -1), "clSetUserEventStatus");
	if (clWaitForEvents(1, &event) == CL_SUCCESS)
		exit(1);
	opencl_check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
				    &status, NULL),
		     "clGetEventInfo");
	if (status >= 0)
		exit(1);
	opencl_check(clFinish(flow_queue), "clFinish");
	flow_write_behind(flow_queue, buffer, host, NULL);
	printf("lost\n");
	flow_write_behind(flow_queue, buffer, host, NULL);
	printf("%d %d %d 0\n", BYTES, BYTES, COUNT);
	opencl_check(clFinish(flow_queue), "clFinish");
	clReleaseEvent(event);
	clReleaseEvent(made);
	clReleaseMemObject(buffer);
}

struct chain {
	cl_mem buffer;
	cl_int host[COUNT];
	pthread_mutex_t lock;
	pthread_cond_t done;
	int left;
};

static void CL_CALLBACK go_on(cl_event event, cl_int status, void *argument)
{
	struct chain *chain = argument;
	cl_event next;

	(void)event;
	opencl_check(status, "a command");
	pthread_mutex_lock(&chain->lock);
	if (!--chain->left) {
		pthread_cond_signal(&chain->done);
		pthread_mutex_unlock(&chain->lock);
		return;
	}
	pthread_mutex_unlock(&chain->lock);
	opencl_check(clEnqueueWriteBuffer(flow_queue, chain->buffer, CL_FALSE, 0, BYTES,
					  chain->host, 0, NULL, &next),
		     "clEnqueueWriteBuffer");
	opencl_check(clSetEventCallback(next, CL_COMPLETE, go_on, chain), "clSetEventCallback");
	opencl_check(clFlush(flow_queue), "clFlush");
	clReleaseEvent(next);
}

static void callback(void)
{
	static struct chain chain = {
		.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER, .left = 20};
	cl_event first;

	chain.buffer = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
	opencl_check(clEnqueueWriteBuffer(flow_queue, chain.buffer, CL_FALSE, 0, BYTES, chain.host,
					  0, NULL, &first),
		     "clEnqueueWriteBuffer");
	printf("%d 0 0 0\n", BYTES);
	opencl_check(clSetEventCallback(first, CL_COMPLETE, go_on, &chain), "clSetEventCallback");
	opencl_check(clFlush(flow_queue), "clFlush");
	pthread_mutex_lock(&chain.lock);
	while (chain.left)
		pthread_cond_wait(&chain.done, &chain.lock);
	pthread_mutex_unlock(&chain.lock);
	opencl_check(clFinish(flow_queue), "clFinish");
	clReleaseEvent(first);
	clReleaseMemObject(chain.buffer);
}

static void denied(void)
{
	static const size_t origin[3], region[3] = {16, 16, 1};
	static char host[4 << 20];
	const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
	const cl_image_desc shape = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
	cl_mem hidden = flow_buffer(CL_MEM_HOST_WRITE_ONLY, BYTES, NULL);
	cl_mem large = flow_buffer(CL_MEM_READ_WRITE, sizeof(host), NULL), image;
	cl_int status;

	flow_write(hidden, host, 0, BYTES);
	flow_write(large, host, 0, sizeof(host));
	image = clCreateImage(flow_opencl.context, CL_MEM_READ_WRITE, &format, &shape, NULL,
			      &status);
	if (opencl_did(status, "clCreateImage"))
		opencl_check(clEnqueueWriteImage(flow_queue, image, CL_TRUE, origin, region, 0, 0,
						 host, 0, NULL, NULL),
			     "clEnqueueWriteImage");
	if (status == CL_SUCCESS)
		clReleaseMemObject(image);
	clReleaseMemObject(hidden);
	clReleaseMemObject(large);
}

/* Handles are used again. */
static void release(void)
{
	cl_int host[COUNT];

	for (int i = 0; i < COUNT; i++)
		host[i] = 0x01010101;
	for (int i = 0; i < 20; i++) {
		cl_command_queue own = opencl_queue(flow_opencl.context, flow_opencl.devices[0], 0);
		cl_mem buffer = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);

		flow_write_behind(own, buffer, host, NULL);
		flow_write_behind(own, buffer, host, NULL);
		opencl_check(clFinish(own), "clFinish");
		printf("%d 0 0 %d\n%d %d %d 0\n", BYTES, BYTES, BYTES, BYTES, COUNT);
		clReleaseMemObject(buffer);
		clReleaseCommandQueue(own);
	}
}

static void fill(size_t bytes)
{
	const cl_int number = 7;
	cl_mem buffer = flow_buffer(CL_MEM_READ_WRITE, bytes, NULL);

	opencl_check(clEnqueueFillBuffer(flow_queue, buffer, &number, sizeof(number), 0, bytes, 0,
					 NULL, NULL),
		     "clEnqueueFillBuffer");
	opencl_check(clFinish(flow_queue), "clFinish");
}

/* The buffers fit in what is left, but not beside copies of them. */
static void scarce(void)
{
	enum { LARGE = 40 << 20, LEFT = 200 << 20 };
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;
	struct rlimit limit;

	fill(BYTES);
	if (!file || fscanf(file, "%lu", &pages) != 1 || getrlimit(RLIMIT_AS, &limit))
		exit(1);
	fclose(file);
	limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + LEFT;
	if (setrlimit(RLIMIT_AS, &limit))
		exit(1);
	for (int i = 0; i < 3; i++)
		fill(LARGE);
	fill(BYTES);
}

/* Only the program's objects hold the context. */
static void print_count(const char *when)
{
	cl_uint count = 0;

	opencl_check(clGetContextInfo(flow_opencl.context, CL_CONTEXT_REFERENCE_COUNT,
				      sizeof(count), &count, NULL),
		     "clGetContextInfo");
	printf("%s %u\n", when, count);
}

static void counts(void)
{
	cl_int host[COUNT] = {0};
	cl_mem buffers[3];
	cl_command_queue own = opencl_queue(flow_opencl.context, flow_opencl.devices[0], 0);

	print_count("begin");
	for (int i = 0; i < 3; i++) {
		buffers[i] = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
		flow_write(buffers[i], host, 0, BYTES);
	}
	print_count("written");
	flow_launch("add", 3, buffers);
	print_count("launched");
	flow_write_behind(own, buffers[1], host, NULL);
	opencl_check(clFinish(own), "clFinish");
	print_count("another queue");
	clReleaseCommandQueue(own);
	print_count("released");
	for (int i = 0; i < 3; i++)
		clReleaseMemObject(buffers[i]);
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {{"graph", graph},		{"twice", flow_twice},
		     {"random", flow_random},	{"gate", gate},
		     {"callback", callback},	{"denied", denied},
		     {"threads", flow_threads}, {"release", release},
		     {"shared", flow_shared},	{"borrowed", flow_borrowed},
		     {"stuck", flow_stuck},	{"counts", counts},
		     {"scarce", scarce},	{"failed", failed}};

	if (count < 2)
		return 2;
	srand(count > 2 ? (unsigned)atoi(arguments[2]) : 1);
	opencl_open(&flow_opencl, source);
	flow_queue = opencl_queue(flow_opencl.context, flow_opencl.devices[0], 0);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(arguments[1], parts[i].name))
			parts[i].run();
	opencl_check(clReleaseCommandQueue(flow_queue), "clReleaseCommandQueue");
	opencl_close(&flow_opencl);
	if (fflush(stdout))
		return 1;
	if (count > 3)
		raise(SIGKILL);
	return 0;
}

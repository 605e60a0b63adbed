/* SPDX-License-Identifier: MIT */
/*
 * Usage: flow PART [SEED [kill]]
 *	graph		copies and kernels, some of which change nothing
 *	random		300 random writes of three buffers, each with what it changes
 *	gate		commands behind a user event, and behind one that is never completed
 *	callback	commands that a callback of an event makes
 *	denied		buffers that the host may not read, images, and one that is too large
 *	threads		four threads, each with a queue and a buffer of its own
 *	release		queues and buffers that come and go
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

#include "opencl.h"

enum { COUNT = 1000, BYTES = COUNT * sizeof(cl_int), BUFFERS = 3, STEPS = 300, THREADS = 4 };

static const char source[] =
	"__kernel void add(__global const int *l, __global const int *r, __global int *p, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n)\n"
	"		p[i] = l[i] + r[i];\n"
	"}\n"
	"__kernel void copy(__global int *l, __global const int *r, int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n)\n"
	"		l[i] = r[i];\n"
	"}\n"
	"__kernel void add_odd(__global const int *l, __global const int *r, __global int *p,\n"
	"		int n)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	if (i < n && i % 2)\n"
	"		p[i] = l[i] + r[i];\n"
	"}\n"
	"__kernel void set(__global int *p, int first, int step, int value)\n"
	"{\n"
	"	p[first + get_global_id(0) * step] = value;\n"
	"}\n";

static struct opencl opencl;
static cl_command_queue queue;

static cl_mem make(cl_mem_flags flags, size_t bytes, void *host)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(opencl.context, flags, bytes, host, &status);

	opencl_check(status, "clCreateBuffer");
	return buffer;
}

static void set_memory(cl_kernel kernel, cl_uint index, cl_mem memory)
{
	opencl_check(clSetKernelArg(kernel, index, sizeof(memory), &memory), "clSetKernelArg");
}

static void set_int(cl_kernel kernel, cl_uint index, cl_int value)
{
	opencl_check(clSetKernelArg(kernel, index, sizeof(value), &value), "clSetKernelArg");
}

static void write_all(cl_mem buffer, const void *host, size_t offset, size_t bytes)
{
	opencl_check(
		clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, bytes, host, 0, NULL, NULL),
		"clEnqueueWriteBuffer");
}

static void copy_part(cl_mem from, cl_mem to, size_t offset, size_t bytes)
{
	opencl_check(clEnqueueCopyBuffer(queue, from, to, offset, offset, bytes, 0, NULL, NULL),
		     "clEnqueueCopyBuffer");
}

static void launch(const char *name, int count, const cl_mem *memory)
{
	cl_kernel kernel = opencl_kernel(opencl.program, name, NULL);

	for (int i = 0; i < count; i++)
		set_memory(kernel, (cl_uint)i, memory[i]);
	set_int(kernel, (cl_uint)count, COUNT);
	opencl_launch(queue, kernel, COUNT, 0, NULL);
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

static void build_informed(void)
{
	const char *text = source;
	cl_int status;

	opencl_check(clReleaseProgram(opencl.program), "clReleaseProgram");
	opencl.program = clCreateProgramWithSource(opencl.context, 1, &text, NULL, &status);
	opencl_check(status, "clCreateProgramWithSource");
	opencl_check(clBuildProgram(opencl.program, 0, NULL, "-cl-kernel-arg-info", NULL, NULL),
		     "clBuildProgram");
}

/* Three buffers of the device: two sources and a result. */
static void graph(void)
{
	cl_mem l, r, p;
	cl_int host[COUNT], result[COUNT];

	build_informed();
	l = make(CL_MEM_READ_WRITE, BYTES, NULL);
	r = make(CL_MEM_READ_WRITE, BYTES, NULL);
	p = make(CL_MEM_READ_WRITE, BYTES, NULL);
	for (int i = 0; i < COUNT; i++)
		host[i] = i;
	write_all(l, host, 0, BYTES);
	write_all(r, host, 0, BYTES);
	write_all(l, host, 0, BYTES);  /* as before */
	copy_part(r, l, 0, BYTES / 2); /* as before */
	copy_part(r, l, BYTES / 2, BYTES / 2);
	launch("add", 3, (cl_mem[]){l, r, p});
	launch("copy", 2, (cl_mem[]){p, p});	   /* as before */
	launch("add_odd", 3, (cl_mem[]){l, r, p}); /* as before */
	opencl_check(clEnqueueReadBuffer(queue, p, CL_TRUE, 0, BYTES, result, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
	for (int i = 0; i < COUNT; i++)
		if (result[i] != 2 * i)
			exit(1);
	clReleaseMemObject(l);
	clReleaseMemObject(r);
	clReleaseMemObject(p);
}

/* What a buffer has to contain. */
struct model {
	cl_mem buffer;
	unsigned char bytes[BYTES];
	bool known[COUNT];
};

/* Expects a write of `count` bytes. */
static void expect(struct model *model, size_t offset, size_t count, const unsigned char *new)
{
	size_t same = 0, words = 0, changed = 0;

	for (size_t at = offset; at < offset + count;) {
		size_t word = at / 4, next = 4 * (word + 1), equal = 0, here;

		next = next < offset + count ? next : offset + count;
		here = next - at;
		for (size_t i = at; i < next; i++)
			equal += model->bytes[i] == new[i - offset];
		changed += here - equal;
		if (model->known[word]) {
			same += equal;
			words += equal == 4;
		}
		model->known[word] = true;
		at = next;
	}
	memcpy(model->bytes + offset, new, count);
	printf("%zu %zu %zu %zu\n", count, same, words, changed);
}

static int below(int limit)
{
	return rand() % limit;
}

static void random_bytes(unsigned char *to, size_t count, const struct model *like, size_t offset)
{
	for (size_t i = 0; i < count; i++)
		to[i] = below(4) ? like->bytes[offset + i] : (unsigned char)below(3);
}

static void random_copy(struct model *to, struct model *from)
{
	size_t offset = (size_t)below(BYTES - 1), count = 1 + (size_t)below((int)(BYTES - offset));

	copy_part(from->buffer, to->buffer, offset, count);
	expect(to, offset, count, from->bytes + offset);
}

static void random_fill(struct model *to)
{
	unsigned char value = (unsigned char)below(3), new[BYTES];
	size_t offset = (size_t)below(BYTES - 1), count = 1 + (size_t)below((int)(BYTES - offset));

	memset(new, value, sizeof(new));
	opencl_check(
		clEnqueueFillBuffer(queue, to->buffer, &value, 1, offset, count, 0, NULL, NULL),
		"clEnqueueFillBuffer");
	expect(to, offset, count, new);
}

static void random_write(struct model *to)
{
	unsigned char new[BYTES];
	size_t offset = (size_t)below(BYTES - 1), count = 1 + (size_t)below((int)(BYTES - offset));

	random_bytes(new, count, to, offset);
	write_all(to->buffer, new, offset, count);
	expect(to, offset, count, new);
}

static void random_map(struct model *to)
{
	size_t offset = (size_t)below(BYTES - 1), count = 1 + (size_t)below((int)(BYTES - offset));
	unsigned char new[BYTES], *mapped;
	cl_int status;

	random_bytes(new, count, to, offset);
	mapped = clEnqueueMapBuffer(queue, to->buffer, CL_TRUE, CL_MAP_WRITE, offset, count, 0,
				    NULL, NULL, &status);
	opencl_check(status, "clEnqueueMapBuffer");
	memcpy(mapped, new, count);
	opencl_check(clEnqueueUnmapMemObject(queue, to->buffer, mapped, 0, NULL, NULL),
		     "clEnqueueUnmapMemObject");
	expect(to, offset, count, new);
}

static void random_kernel(struct model *to, cl_kernel kernel)
{
	int first = below(COUNT), step = 1 + below(5), value = below(3);
	int count = 1 + below((COUNT - 1 - first) / step + 1);
	unsigned char new[BYTES];
	cl_int *words = (void *)new;

	memcpy(new, to->bytes, BYTES);
	for (int i = 0; i < count; i++)
		words[first + i * step] = value;
	set_memory(kernel, 0, to->buffer);
	set_int(kernel, 1, first);
	set_int(kernel, 2, step);
	set_int(kernel, 3, value);
	opencl_launch(queue, kernel, (size_t)count, 0, NULL);
	expect(to, 0, BYTES, new);
}

static void check(const struct model *model)
{
	unsigned char result[BYTES];

	opencl_check(
		clEnqueueReadBuffer(queue, model->buffer, CL_TRUE, 0, BYTES, result, 0, NULL, NULL),
		"clEnqueueReadBuffer");
	if (memcmp(result, model->bytes, BYTES) != 0)
		exit(1);
}

/* The first buffer has contents from its start, the others get them before anything is random:
 * drivers do not zero new memory. */
static void random_writes(void)
{
	static struct model models[BUFFERS];
	cl_kernel kernel = opencl_kernel(opencl.program, "set", NULL);
	static unsigned char zeros[BYTES];

	for (int i = 0; i < BYTES; i++)
		models[0].bytes[i] = (unsigned char)below(3);
	memset(models[0].known, 1, sizeof(models[0].known));
	models[0].buffer = make(CL_MEM_COPY_HOST_PTR, BYTES, models[0].bytes);
	for (int i = 1; i < BUFFERS; i++) {
		models[i].buffer = make(CL_MEM_READ_WRITE, BYTES, NULL);
		for (size_t at = 0; at < BYTES; at += BYTES / 2) {
			write_all(models[i].buffer, zeros, at, BYTES / 2);
			expect(&models[i], at, BYTES / 2, zeros);
		}
	}
	for (int i = 0; i < STEPS; i++) {
		struct model *to = &models[below(BUFFERS)], *from = &models[below(BUFFERS)];
		int what = below(5);

		if (what == 0 && from != to)
			random_copy(to, from);
		else if (what == 1)
			random_fill(to);
		else if (what == 2)
			random_map(to);
		else if (what == 3)
			random_kernel(to, kernel);
		else
			random_write(to);
	}
	for (int i = 0; i < BUFFERS; i++) {
		check(&models[i]);
		clReleaseMemObject(models[i].buffer);
	}
	clReleaseKernel(kernel);
}

static void write_behind(cl_command_queue behind, cl_mem buffer, const void *host, cl_event gate)
{
	opencl_check(clEnqueueWriteBuffer(behind, buffer, CL_FALSE, 0, BYTES, host, gate ? 1 : 0,
					  gate ? &gate : NULL, NULL),
		     "clEnqueueWriteBuffer");
}

/* The queue of the profiler's reads is another one, so nothing waits for the gate. */
static void gate(void)
{
	cl_mem buffer = make(CL_MEM_READ_WRITE, BYTES, NULL), other;
	cl_int host[COUNT], result[COUNT];
	cl_command_queue second = opencl_queue(opencl.context, opencl.devices[0], 0);
	cl_event event, never;

	other = make(CL_MEM_READ_WRITE, BYTES, NULL);
	for (int i = 0; i < COUNT; i++)
		host[i] = i;
	write_behind(queue, other, host, NULL);
	printf("%d 0 0 %d\n", BYTES, COUNT - 4 + COUNT - 256); /* other bytes are 0 */
	event = opencl_gate(opencl.context);
	write_behind(queue, buffer, host, event);
	write_behind(second, other, host, NULL);
	opencl_check(clFinish(second), "clFinish");
	opencl_check(clSetUserEventStatus(event, CL_COMPLETE), "clSetUserEventStatus");
	opencl_check(clFinish(queue), "clFinish");
	write_behind(queue, buffer, host, NULL);
	printf("lost\n");
	write_behind(queue, buffer, host, NULL);
	printf("%d %d %d 0\n", BYTES, BYTES, COUNT);
	opencl_check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, result, 0, NULL, NULL),
		     "clEnqueueReadBuffer");
	if (memcmp(host, result, BYTES) != 0)
		exit(1);
	never = opencl_gate(opencl.context);
	write_behind(queue, buffer, host, NULL);
	opencl_check(clFinish(queue), "clFinish");
	clReleaseEvent(event);
	clReleaseEvent(never);
	clReleaseMemObject(buffer);
	clReleaseMemObject(other);
	clReleaseCommandQueue(second);
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
	opencl_check(clEnqueueWriteBuffer(queue, chain->buffer, CL_FALSE, 0, BYTES, chain->host, 0,
					  NULL, &next),
		     "clEnqueueWriteBuffer");
	opencl_check(clSetEventCallback(next, CL_COMPLETE, go_on, chain), "clSetEventCallback");
	opencl_check(clFlush(queue), "clFlush");
	clReleaseEvent(next);
}

static void callback(void)
{
	static struct chain chain = {
		.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER, .left = 20};
	cl_event first;

	chain.buffer = make(CL_MEM_READ_WRITE, BYTES, NULL);
	opencl_check(clEnqueueWriteBuffer(queue, chain.buffer, CL_FALSE, 0, BYTES, chain.host, 0,
					  NULL, &first),
		     "clEnqueueWriteBuffer");
	printf("%d 0 0 0\n", BYTES);
	opencl_check(clSetEventCallback(first, CL_COMPLETE, go_on, &chain), "clSetEventCallback");
	opencl_check(clFlush(queue), "clFlush");
	pthread_mutex_lock(&chain.lock);
	while (chain.left)
		pthread_cond_wait(&chain.done, &chain.lock);
	pthread_mutex_unlock(&chain.lock);
	opencl_check(clFinish(queue), "clFinish");
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
	cl_mem hidden = make(CL_MEM_HOST_WRITE_ONLY, BYTES, NULL);
	cl_mem large = make(CL_MEM_READ_WRITE, sizeof(host), NULL), image;
	cl_int status;

	write_all(hidden, host, 0, BYTES);
	write_all(large, host, 0, sizeof(host));
	image = clCreateImage(opencl.context, CL_MEM_READ_WRITE, &format, &shape, NULL, &status);
	if (opencl_did(status, "clCreateImage"))
		opencl_check(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, host,
						 0, NULL, NULL),
			     "clEnqueueWriteImage");
	if (status == CL_SUCCESS)
		clReleaseMemObject(image);
	clReleaseMemObject(hidden);
	clReleaseMemObject(large);
}

static void *work(void *argument)
{
	cl_command_queue own = opencl_queue(opencl.context, opencl.devices[0], 0);
	cl_mem buffer = make(CL_MEM_READ_WRITE, BYTES, NULL);
	cl_int host[COUNT] = {0};

	for (int i = 0; i < 50; i++) {
		host[i] = 1;
		write_behind(own, buffer, host, NULL);
		opencl_check(clFinish(own), "clFinish");
	}
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(own);
	return argument;
}

static void threads(void)
{
	pthread_t all[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&all[i], NULL, work, NULL))
			exit(1);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(all[i], NULL);
		printf("%d 0 0 1\n", BYTES);
		for (int j = 1; j < 50; j++)
			printf("%d %d %d 1\n", BYTES, BYTES - 1, COUNT - 1);
	}
}

/* Handles are used again. */
static void release(void)
{
	cl_int host[COUNT];

	for (int i = 0; i < COUNT; i++)
		host[i] = 0x01010101;
	for (int i = 0; i < 20; i++) {
		cl_command_queue own = opencl_queue(opencl.context, opencl.devices[0], 0);
		cl_mem buffer = make(CL_MEM_READ_WRITE, BYTES, NULL);

		write_behind(own, buffer, host, NULL);
		write_behind(own, buffer, host, NULL);
		opencl_check(clFinish(own), "clFinish");
		printf("%d 0 0 %d\n%d %d %d 0\n", BYTES, BYTES, BYTES, BYTES, COUNT);
		clReleaseMemObject(buffer);
		clReleaseCommandQueue(own);
	}
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {{"graph", graph},	     {"random", random_writes}, {"gate", gate},
		     {"callback", callback}, {"denied", denied},	{"threads", threads},
		     {"release", release}};

	if (count < 2)
		return 2;
	srand(count > 2 ? (unsigned)atoi(arguments[2]) : 1);
	opencl_open(&opencl, source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(arguments[1], parts[i].name))
			parts[i].run();
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_close(&opencl);
	if (fflush(stdout))
		return 1;
	if (count > 3)
		raise(SIGKILL);
	return 0;
}

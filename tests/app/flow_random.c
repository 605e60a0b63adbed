/* SPDX-License-Identifier: MIT */
/* Writes whose changes are known: a model of each buffer says what they are. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"

enum { BUFFERS = 3, STEPS = 300 };

/* What a buffer has to contain. */
struct model {
	cl_mem buffer;
	unsigned char bytes[BYTES];
	bool known[COUNT];
};

static char expected[100]; /* the last line */

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
	snprintf(expected, sizeof(expected), "%zu %zu %zu %zu", count, same, words, changed);
	puts(expected);
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

	flow_copy(from->buffer, to->buffer, offset, count);
	expect(to, offset, count, from->bytes + offset);
}

static void random_fill(struct model *to)
{
	unsigned char value = (unsigned char)below(3), new[BYTES];
	size_t offset = (size_t)below(BYTES - 1), count = 1 + (size_t)below((int)(BYTES - offset));

	memset(new, value, sizeof(new));
	opencl_check(clEnqueueFillBuffer(flow_queue, to->buffer, &value, 1, offset, count, 0, NULL,
					 NULL),
		     "clEnqueueFillBuffer");
	expect(to, offset, count, new);
}

static void random_write(struct model *to)
{
	unsigned char new[BYTES];
	size_t offset = (size_t)below(BYTES - 1), count = 1 + (size_t)below((int)(BYTES - offset));

	random_bytes(new, count, to, offset);
	flow_write(to->buffer, new, offset, count);
	expect(to, offset, count, new);
}

static void random_map(struct model *to)
{
	size_t offset = (size_t)below(BYTES - 1), count = 1 + (size_t)below((int)(BYTES - offset));
	unsigned char new[BYTES], *mapped;
	cl_int status;

	random_bytes(new, count, to, offset);
	mapped = clEnqueueMapBuffer(flow_queue, to->buffer, CL_TRUE, CL_MAP_WRITE, offset, count, 0,
				    NULL, NULL, &status);
	opencl_check(status, "clEnqueueMapBuffer");
	memcpy(mapped, new, count);
	opencl_check(clEnqueueUnmapMemObject(flow_queue, to->buffer, mapped, 0, NULL, NULL),
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
	flow_set_memory(kernel, 0, to->buffer);
	flow_set_int(kernel, 1, first);
	flow_set_int(kernel, 2, step);
	flow_set_int(kernel, 3, value);
	opencl_launch(flow_queue, kernel, (size_t)count, 0, NULL);
	expect(to, 0, BYTES, new);
}

static void check(const struct model *model)
{
	unsigned char result[BYTES];

	opencl_check(clEnqueueReadBuffer(flow_queue, model->buffer, CL_TRUE, 0, BYTES, result, 0,
					 NULL, NULL),
		     "clEnqueueReadBuffer");
	if (memcmp(result, model->bytes, BYTES) != 0)
		exit(1);
}

/* The first buffer has contents from its start, the others get them before anything is random:
 * drivers do not zero new memory. */
void flow_random(void)
{
	static struct model models[BUFFERS];
	cl_kernel kernel = opencl_kernel(flow_opencl.program, "set", NULL);
	static unsigned char zeros[BYTES];

	for (int i = 0; i < BYTES; i++)
		models[0].bytes[i] = (unsigned char)below(3);
	memset(models[0].known, 1, sizeof(models[0].known));
	models[0].buffer = flow_buffer(CL_MEM_COPY_HOST_PTR, BYTES, models[0].bytes);
	for (int i = 1; i < BUFFERS; i++) {
		models[i].buffer = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
		for (size_t at = 0; at < BYTES; at += BYTES / 2) {
			flow_write(models[i].buffer, zeros, at, BYTES / 2);
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

/* A kernel gets one buffer for two arguments; then a few bytes of it are written. */
void flow_twice(void)
{
	static struct model model;
	cl_int host[COUNT];

	model.buffer = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
	for (int i = 0; i < COUNT; i++)
		host[i] = i;
	flow_write(model.buffer, host, 0, BYTES);
	expect(&model, 0, BYTES, (void *)host);
	flow_launch("increment", 2, (cl_mem[]){model.buffer, model.buffer});
	for (int i = 0; i < COUNT; i++)
		host[i]++;
	expect(&model, 0, BYTES, (void *)host);
	puts(expected);
	flow_write(model.buffer, host, 0, 1);
	expect(&model, 0, 1, (void *)host);
	check(&model);
	clReleaseMemObject(model.buffer);
}

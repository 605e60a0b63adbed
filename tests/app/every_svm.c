/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "every.h"
#include "expect.h"

enum { SIZE = 4096, MANY = 100 };

static void copy_and_fill(struct every *every, char *memory)
{
	static const char pattern[4] = "abc";

	if (opencl_did(clEnqueueSVMMemcpy(every->queue, every->blocking, memory, every->memory,
					  SIZE, 0, NULL, NULL),
		       "clEnqueueSVMMemcpy"))
		expect_copy(EVERY_QUEUE, HOST, DEVICE, SIZE, PAGEABLE);
	if (opencl_did(clEnqueueSVMMemcpy(every->queue, every->blocking, every->memory, memory,
					  SIZE / 4, 0, NULL, NULL),
		       "clEnqueueSVMMemcpy"))
		expect_copy(EVERY_QUEUE, DEVICE, HOST, SIZE / 4, PAGEABLE);
	if (opencl_did(clEnqueueSVMMemcpy(every->queue, every->blocking, memory, memory + SIZE / 2,
					  SIZE / 8, 0, NULL, NULL),
		       "clEnqueueSVMMemcpy"))
		expect_copy(EVERY_QUEUE, DEVICE, DEVICE, SIZE / 8, UNKNOWN);
	if (opencl_did(clEnqueueSVMMemFill(every->queue, memory, pattern, sizeof(pattern), SIZE / 2,
					   0, NULL, NULL),
		       "clEnqueueSVMMemFill"))
		expect_fill(EVERY_QUEUE, SIZE / 2);
}

static void map(struct every *every, char *memory, cl_map_flags flags)
{
	if (!opencl_did(clEnqueueSVMMap(every->queue, every->blocking, flags, memory, SIZE, 0, NULL,
					NULL),
			"clEnqueueSVMMap"))
		return;
	if (flags & CL_MAP_READ)
		expect_copy(EVERY_QUEUE, DEVICE, HOST, SIZE, UNKNOWN);
	else
		expect_copy(EVERY_QUEUE, HOST, DEVICE, SIZE, UNKNOWN);
	opencl_check(clEnqueueSVMUnmap(every->queue, memory, 0, NULL, NULL), "clEnqueueSVMUnmap");
	expect_copy(EVERY_QUEUE, HOST, DEVICE, SIZE, UNKNOWN);
}

static void migrate(struct every *every, char *memory)
{
	static const size_t size = SIZE;
	const void *pointers[1] = {memory};

	if (opencl_did(clEnqueueSVMMigrateMem(every->queue, 1, pointers, &size, 0, 0, NULL, NULL),
		       "clEnqueueSVMMigrateMem"))
		expect_copy(EVERY_QUEUE, HOST, DEVICE, SIZE, UNKNOWN);
	if (opencl_did(clEnqueueSVMMigrateMem(every->queue, 1, pointers, &size,
					      CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL),
		       "clEnqueueSVMMigrateMem"))
		expect_copy(EVERY_QUEUE, DEVICE, HOST, SIZE, UNKNOWN);
}

/* Freed by the queue when it reaches this command; makes no row. */
static void release(struct every *every, char *memory)
{
	void *pointers[1] = {memory};

	if (opencl_did(clEnqueueSVMFree(every->queue, 1, pointers, NULL, NULL, 0, NULL, NULL),
		       "clEnqueueSVMFree"))
		return;
	opencl_check(clFinish(every->queue), "clFinish");
	clSVMFree(every->opencl.context, memory);
}

/* Freed memory may be reused by the host, and is then pageable. */
static void reuse(struct every *every, char *target)
{
	void *memory[MANY] = {NULL};

	for (int i = 0; i < MANY; i++)
		memory[i] = clSVMAlloc(every->opencl.context, CL_MEM_READ_WRITE, SIZE, 0);
	for (int i = 0; i < MANY; i++)
		if (memory[i])
			release(every, memory[i]);
	for (int i = 0; i < MANY; i++) {
		memory[i] = calloc(1, SIZE);
		if (memory[i] && opencl_did(clEnqueueSVMMemcpy(every->queue, CL_TRUE, target,
							       memory[i], SIZE, 0, NULL, NULL),
					    "clEnqueueSVMMemcpy"))
			expect_copy(EVERY_QUEUE, HOST, DEVICE, SIZE, PAGEABLE);
	}
	for (int i = 0; i < MANY; i++)
		free(memory[i]);
}

void every_svm(struct every *every)
{
	char *memory = clSVMAlloc(every->opencl.context, CL_MEM_READ_WRITE, SIZE, 0);

	if (!opencl_did(memory ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE, "clSVMAlloc"))
		return;
	copy_and_fill(every, memory);
	map(every, memory, CL_MAP_READ);
	map(every, memory, CL_MAP_WRITE);
	migrate(every, memory);
	reuse(every, memory);
	release(every, memory);
}

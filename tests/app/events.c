/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "opencl.h"

/*
 * Makes and frees memory, makes queues and waits in all ways, and prints the events that a trace
 * must have of it, in the order of their ends:
 *	FUNCTION made KIND BYTES	FUNCTION gone KIND BYTES
 *	FUNCTION queue STREAM FLAGS PROPERTIES
 *	FUNCTION wait KIND STREAM
 * KIND and FLAGS are the numbers of model/event.h. With the argument "kill" it kills itself; with
 * "leave" it releases nothing. With "threads" it only makes and frees buffers in several threads,
 * and prints their number.
 */
enum {
	SIZE = 4096,
	SIDE = 16,
	PAGEABLE = 1,
	PINNED,
	DEVICE,
	ARRAY,
	MANAGED,
	THREADS = 4,
	CHURNED = 1000
};

static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};

static void expect(const char *function, const char *what, int kind, size_t bytes)
{
	printf("%s %s %d %zu\n", function, what, kind, bytes);
}

static cl_mem make(struct opencl *opencl, cl_mem_flags flags, void *host, size_t size)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(opencl->context, flags, size, host, &status);

	opencl_check(status, "clCreateBuffer");
	return buffer;
}

static void release(cl_mem memory)
{
	opencl_check(clReleaseMemObject(memory), "clReleaseMemObject");
}

static void kinds(struct opencl *opencl)
{
	static char host[SIZE];
	static const struct {
		cl_mem_flags flags;
		int kind;
	} rows[] = {
		{CL_MEM_READ_WRITE, DEVICE},
		{CL_MEM_ALLOC_HOST_PTR, PINNED},
		{CL_MEM_USE_HOST_PTR, PAGEABLE},
		{CL_MEM_COPY_HOST_PTR, DEVICE},
		{CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, PINNED},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool has = rows[i].flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

		expect("clCreateBuffer", "made", rows[i].kind, SIZE - i);
		expect("clReleaseMemObject", "gone", rows[i].kind, SIZE - i);
		release(make(opencl, rows[i].flags, has ? host : NULL, SIZE - i));
	}
}

static void counts(struct opencl *opencl)
{
	cl_mem buffer = make(opencl, CL_MEM_READ_WRITE, NULL, SIZE);
	cl_int status;

	expect("clCreateBuffer", "made", DEVICE, SIZE);
	opencl_check(clRetainMemObject(buffer), "clRetainMemObject");
	release(buffer);
	clCreateBuffer(opencl->context, CL_MEM_READ_WRITE, 0, NULL, &status);
	clCreateBuffer(opencl->context, CL_MEM_USE_HOST_PTR, SIZE, NULL, &status);
	clReleaseMemObject(NULL);
	clFinish(NULL);
	clWaitForEvents(0, NULL);
	release(buffer);
	expect("clReleaseMemObject", "gone", DEVICE, SIZE);
}

/* Objects made from a buffer allocate nothing, but keep it. */
static void parts(struct opencl *opencl)
{
	static const cl_buffer_region region = {0, SIZE / 2};
	cl_image_desc over = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = SIDE};
	cl_mem buffer = make(opencl, CL_MEM_READ_WRITE, NULL, SIZE), part, image;
	cl_int status;

	expect("clCreateBuffer", "made", DEVICE, SIZE);
	part = clCreateSubBuffer(buffer, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region,
				 &status);
	opencl_check(status, "clCreateSubBuffer");
	over.mem_object = buffer;
	image = clCreateImage(opencl->context, CL_MEM_READ_WRITE, &format, &over, NULL, &status);
	if (opencl_did(status, "clCreateImage"))
		release(image);
	release(buffer);
	release(part);
	expect("clReleaseMemObject", "gone", DEVICE, SIZE);
}

static void images(struct opencl *opencl)
{
	cl_image_desc square = {
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
	size_t size = 0;
	cl_int status;
	cl_mem image =
		clCreateImage(opencl->context, CL_MEM_READ_WRITE, &format, &square, NULL, &status);

	if (!opencl_did(status, "clCreateImage"))
		return;
	opencl_check(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof(size), &size, NULL),
		     "clGetMemObjectInfo");
	expect("clCreateImage", "made", ARRAY, size);
	expect("clReleaseMemObject", "gone", ARRAY, size);
	release(image);
	image = clCreateImage2D(opencl->context, CL_MEM_ALLOC_HOST_PTR, &format, SIDE, SIDE, 0,
				NULL, &status);
	if (!opencl_did(status, "clCreateImage2D"))
		return;
	expect("clCreateImage2D", "made", PINNED, size);
	expect("clReleaseMemObject", "gone", PINNED, size);
	release(image);
}

/* A buffer over shared virtual memory allocates nothing. */
static void shared(struct opencl *opencl, cl_command_queue queue)
{
	void *memory = clSVMAlloc(opencl->context, CL_MEM_READ_WRITE, SIZE, 0), *more;

	if (!opencl_did(memory ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc"))
		return;
	expect("clSVMAlloc", "made", MANAGED, SIZE);
	release(make(opencl, CL_MEM_USE_HOST_PTR, memory, SIZE));
	more = clSVMAlloc(opencl->context, CL_MEM_READ_WRITE, 2 * SIZE, 0);
	expect("clSVMAlloc", "made", MANAGED, 2 * SIZE);
	clSVMFree(opencl->context, memory);
	expect("clSVMFree", "gone", MANAGED, SIZE);
	opencl_check(clEnqueueSVMFree(queue, 1, &more, NULL, NULL, 0, NULL, NULL),
		     "clEnqueueSVMFree");
	expect("clEnqueueSVMFree", "gone", MANAGED, 2 * SIZE);
	clSVMFree(opencl->context, NULL);
}

static void CL_CALLBACK on_end(cl_mem memory, void *other)
{
	(void)memory;
	release(other);
}

/* A call inside a call: its event counts, too. */
static void nested(struct opencl *opencl)
{
	cl_mem outer = make(opencl, CL_MEM_READ_WRITE, NULL, SIZE);
	cl_mem inner = make(opencl, CL_MEM_READ_WRITE, NULL, 2 * SIZE);

	expect("clCreateBuffer", "made", DEVICE, SIZE);
	expect("clCreateBuffer", "made", DEVICE, 2 * SIZE);
	opencl_check(clSetMemObjectDestructorCallback(outer, on_end, inner),
		     "clSetMemObjectDestructorCallback");
	release(outer);
	expect("clReleaseMemObject", "gone", DEVICE, 2 * SIZE);
	expect("clReleaseMemObject", "gone", DEVICE, SIZE);
}

static void wait(const char *function, int kind, int stream)
{
	printf("%s wait %d %d\n", function, kind, stream);
}

static void finish(cl_command_queue queue, int stream)
{
	opencl_check(clFinish(queue), "clFinish");
	wait("clFinish", 3, stream);
}

static void waits(struct opencl *opencl, cl_command_queue first, cl_command_queue second)
{
	cl_mem buffer = make(opencl, CL_MEM_READ_WRITE, NULL, SIZE);
	cl_kernel kernel = opencl_kernel(opencl->program, "twice", buffer);
	cl_event events[2], gate = opencl_gate(opencl->context);

	expect("clCreateBuffer", "made", DEVICE, SIZE);
	opencl_launch(first, kernel, SIZE / sizeof(cl_int), 0, &events[0]);
	opencl_launch(second, kernel, SIZE / sizeof(cl_int), 0, &events[1]);
	opencl_check(clEnqueueBarrierWithWaitList(second, 1, events, NULL), "barrier");
	wait("clEnqueueBarrierWithWaitList", 2, 2);
	opencl_check(clEnqueueBarrierWithWaitList(second, 0, NULL, NULL), "barrier");
	opencl_check(clWaitForEvents(2, events), "clWaitForEvents");
	wait("clWaitForEvents", 1, 1);
	opencl_check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	opencl_check(clWaitForEvents(1, &gate), "clWaitForEvents");
	wait("clWaitForEvents", 1, -1);
	finish(first, 1);
	finish(second, 2);
	opencl_check(clReleaseEvent(events[0]), "clReleaseEvent");
	opencl_check(clReleaseEvent(events[1]), "clReleaseEvent");
	opencl_check(clReleaseEvent(gate), "clReleaseEvent");
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
	release(buffer);
	expect("clReleaseMemObject", "gone", DEVICE, SIZE);
}

static cl_command_queue other_queue(struct opencl *opencl)
{
	static const cl_queue_properties properties[] = {
		CL_QUEUE_PROPERTIES,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
	cl_int status;
	cl_command_queue queue = clCreateCommandQueueWithProperties(
		opencl->context, opencl->devices[0], properties, &status);

	opencl_check(status, "clCreateCommandQueueWithProperties");
	printf("clCreateCommandQueueWithProperties queue 2 1 3\n");
	return queue;
}

/* Handles are reused at once, by any thread. */
static void *churn(void *argument)
{
	struct opencl *opencl = argument;

	for (size_t i = 0; i < CHURNED; i++)
		release(make(opencl, CL_MEM_READ_WRITE, NULL, SIZE + i));
	return NULL;
}

static int churn_all(struct opencl *opencl)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, churn, opencl))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d\n", THREADS * CHURNED);
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	struct opencl opencl;
	cl_command_queue first, second;
	cl_int status;

	opencl_open(&opencl, opencl_source);
	if (!strcmp(how, "threads"))
		return churn_all(&opencl);
	first = clCreateCommandQueue(opencl.context, opencl.devices[0], 0, &status);
	opencl_check(status, "clCreateCommandQueue");
	printf("clCreateCommandQueue queue 1 0 0\n");
	clCreateCommandQueue(opencl.context, NULL, 0, &status);
	second = other_queue(&opencl);
	kinds(&opencl);
	counts(&opencl);
	parts(&opencl);
	images(&opencl);
	shared(&opencl, first);
	finish(first, 1);
	nested(&opencl);
	waits(&opencl, first, second);
	fflush(stdout);
	if (!strcmp(how, "kill"))
		return raise(SIGKILL);
	if (!strcmp(how, "leave")) {
		make(&opencl, CL_MEM_READ_WRITE, NULL, SIZE);
		expect("clCreateBuffer", "made", DEVICE, SIZE);
		return 0;
	}
	opencl_check(clReleaseCommandQueue(first), "clReleaseCommandQueue");
	opencl_check(clReleaseCommandQueue(second), "clReleaseCommandQueue");
	opencl_close(&opencl);
	return 0;
}

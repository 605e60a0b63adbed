/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "flow.h"

enum { THREADS = 4, LAUNCHES = 100, BORROWED = 300 };

static void *work(void *argument)
{
	cl_command_queue own = opencl_queue(flow_opencl.context, flow_opencl.devices[0], 0);
	cl_mem buffer = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
	cl_int host[COUNT] = {0};

	for (int i = 0; i < 50; i++) {
		host[i] = 1;
		errno = EDOM;
		flow_write_behind(own, buffer, host, NULL);
		if (errno != EDOM)
			exit(4);
		opencl_check(clFinish(own), "clFinish");
	}
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(own);
	return argument;
}

static void start(pthread_t *threads, void *(*function)(void *))
{
	for (intptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, function, (void *)i))
			exit(1);
}

static void join(const pthread_t *threads)
{
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

void flow_threads(void)
{
	pthread_t threads[THREADS];

	start(threads, work);
	join(threads);
	for (int i = 0; i < THREADS; i++) {
		printf("%d 0 0 1\n", BYTES);
		for (int j = 1; j < 50; j++)
			printf("%d %d %d 1\n", BYTES, BYTES - 1, COUNT - 1);
	}
}

static cl_mem shared;

static void *add_ones(void *argument)
{
	cl_command_queue own = opencl_queue(flow_opencl.context, flow_opencl.devices[0], 0);
	cl_kernel kernel = opencl_kernel(flow_opencl.program, "add_one", NULL);

	flow_set_memory(kernel, 0, shared);
	flow_set_int(kernel, 1, (cl_int)(intptr_t)argument);
	for (int i = 0; i < LAUNCHES; i++) {
		errno = EDOM;
		opencl_launch(own, kernel, 1, 0, NULL);
		if (errno != EDOM)
			exit(4);
	}
	opencl_check(clFinish(own), "clFinish");
	clReleaseKernel(kernel);
	clReleaseCommandQueue(own);
	return NULL;
}

void flow_shared(void)
{
	static const cl_int zeros[COUNT];
	cl_int host[COUNT];
	pthread_t threads[THREADS];

	shared = flow_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
	flow_write(shared, zeros, 0, BYTES);
	printf("%d 0 0 0\n", BYTES);
	start(threads, add_ones);
	join(threads);
	opencl_check(
		clEnqueueReadBuffer(flow_queue, shared, CL_TRUE, 0, BYTES, host, 0, NULL, NULL),
		"clEnqueueReadBuffer");
	for (int i = 0; i < THREADS; i++) {
		if (host[i] != LAUNCHES)
			exit(1);
		for (int j = 0; j < LAUNCHES; j++)
			printf("%d %d %d 1\n", BYTES, BYTES - 1, COUNT - 1);
	}
	clReleaseMemObject(shared);
}

static sem_t runs;
static _Atomic(cl_mem) borrowed;

static void CL_CALLBACK run(void *argument)
{
	(void)argument;
	sem_post(&runs);
}

static void *release_each(void *argument)
{
	for (int i = 0; i < BORROWED; i++) {
		while (sem_wait(&runs))
			;
		clReleaseMemObject(atomic_exchange(&borrowed, NULL));
	}
	return argument;
}

void flow_borrowed(void)
{
	pthread_t thread;

	if (sem_init(&runs, 0, 0) || pthread_create(&thread, NULL, release_each, NULL))
		exit(1);
	for (int i = 0; i < BORROWED; i++) {
		cl_mem buffer = flow_buffer(CL_MEM_READ_WRITE, 16 * BYTES, NULL);
		void *place = NULL;
		const void *places[] = {&place};

		atomic_store(&borrowed, buffer);
		opencl_check(clEnqueueNativeKernel(flow_queue, run, &place, sizeof(place), 1,
						   &buffer, places, 0, NULL, NULL),
			     "clEnqueueNativeKernel");
		opencl_check(clFinish(flow_queue), "clFinish");
		while (atomic_load(&borrowed))
			;
	}
	pthread_join(thread, NULL);
}

static cl_int *flag;
static atomic_int is_busy; /* commands are launched */

static void *wait_for_flag(void *argument)
{
	cl_command_queue own = opencl_queue(flow_opencl.context, flow_opencl.devices[0], 0);
	cl_kernel kernel = opencl_kernel(flow_opencl.program, "wait_for", NULL);

	opencl_check(clSetKernelArgSVMPointer(kernel, 0, flag), "clSetKernelArgSVMPointer");
	while (!atomic_load(&is_busy))
		;
	opencl_launch(own, kernel, 2, 1, NULL);
	opencl_check(clFinish(own), "clFinish");
	clReleaseKernel(kernel);
	clReleaseCommandQueue(own);
	return argument;
}

static void *launch_others(void *argument)
{
	cl_command_queue own = opencl_queue(flow_opencl.context, flow_opencl.devices[0], 0);
	cl_mem buffer = flow_buffer(CL_MEM_READ_WRITE, 1000 * BYTES, NULL);
	cl_kernel kernel = opencl_kernel(flow_opencl.program, "add_one", NULL);

	flow_set_memory(kernel, 0, buffer);
	flow_set_int(kernel, 1, 0);
	for (int i = 0; i < LAUNCHES; i++) {
		opencl_launch(own, kernel, 1, 0, NULL);
		opencl_check(clFlush(own), "clFlush");
		atomic_store(&is_busy, 1);
	}
	clReleaseKernel(kernel);
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(own);
	return argument;
}

/* The kernel ends when the others are launched. */
void flow_stuck(void)
{
	pthread_t waiting, threads[THREADS];

	flag = clSVMAlloc(flow_opencl.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
			  sizeof(*flag), 0);
	if (!flag)
		exit(3);
	*flag = 0;
	if (pthread_create(&waiting, NULL, wait_for_flag, NULL))
		exit(1);
	start(threads, launch_others);
	join(threads);
	__atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
	pthread_join(waiting, NULL);
	clSVMFree(flow_opencl.context, flag);
}

/* SPDX-License-Identifier: MIT */
/*
 * busy COUNTS [LIMIT]
 *
 * Enqueues small kernels and copies from two threads, one with an in-order queue and one with an
 * out-of-order queue, until it is killed (or each thread has made LIMIT commands). The file COUNTS,
 * in shared memory, has the number of commands of each thread that the driver has accepted. A log
 * can be compared with it: the commands of a thread are numbered from 1, number n has the size 61 -
 * (n - 1) % 61 (groups of a kernel, bytes of a copy), and each fourth one is a copy. The kernels of
 * the first thread are named busy_first, those of the second one busy_second.
 *
 * The first kernel is the largest: PoCL 3.1 loads a kernel again for each larger grid, and may then
 * count the end of a command for the wrong copy (an assertion in pocl_release_dlhandle_cache).
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "opencl.h"

enum { THREADS = 2, SIZES = 61, COPY = 4, GROUP = 4, FINISH = 64 };

static const char *source =
	"__kernel void busy_first(__global int *data) { data[get_global_id(0)] += 1; }\n"
	"__kernel void busy_second(__global int *data) { data[get_global_id(0)] += 2; }\n";

struct worker {
	pthread_t thread;
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem buffer;
	volatile uint64_t *enqueued;
	uint64_t limit;
};

static void enqueue(struct worker *worker, uint64_t number)
{
	static const char zeros[SIZES];
	size_t size = SIZES - (number - 1) % SIZES;

	if (number % COPY)
		opencl_launch(worker->queue, worker->kernel, size * GROUP, GROUP, NULL);
	else
		opencl_check(clEnqueueWriteBuffer(worker->queue, worker->buffer, CL_FALSE, 0, size,
						  zeros, 0, NULL, NULL),
			     "clEnqueueWriteBuffer");
}

static void *work(void *argument)
{
	struct worker *worker = argument;

	for (uint64_t number = 2; number <= worker->limit; number++) {
		enqueue(worker, number);
		*worker->enqueued = number;
		if (number % FINISH == 0)
			opencl_check(clFinish(worker->queue), "clFinish");
	}
	opencl_check(clFinish(worker->queue), "clFinish");
	return NULL;
}

static void prepare(struct worker *worker, const struct opencl *opencl, int number)
{
	static const cl_command_queue_properties order[THREADS] = {
		0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
	static const char *const names[THREADS] = {"busy_first", "busy_second"};

	worker->queue = opencl_queue(opencl->context, opencl->devices[0], order[number]);
	worker->buffer = opencl_buffer(opencl->context, SIZES * GROUP * sizeof(int));
	worker->kernel = opencl_kernel(opencl->program, names[number], worker->buffer);
}

/* One after the other, since PoCL 3.1 sometimes crashes when two threads load a kernel at the same
 * time. */
static void enqueue_first(struct worker *worker)
{
	enqueue(worker, 1);
	*worker->enqueued = 1;
	opencl_check(clFinish(worker->queue), "clFinish");
}

static volatile uint64_t *map_counts(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	void *counts = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, THREADS * sizeof(uint64_t)))
		counts = mmap(NULL, THREADS * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED,
			      fd, 0);
	if (counts == MAP_FAILED) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	close(fd);
	return counts;
}

int main(int argc, char **argv)
{
	struct opencl opencl;
	struct worker workers[THREADS];
	volatile uint64_t *counts;

	if (argc < 2) {
		fprintf(stderr, "usage: busy COUNTS [LIMIT]\n");
		return EXIT_FAILURE;
	}
	counts = map_counts(argv[1]);
	opencl_open(&opencl, source);
	for (int i = 0; i < THREADS; i++) {
		prepare(&workers[i], &opencl, i);
		workers[i].enqueued = &counts[i];
		workers[i].limit = argc > 2 ? strtoull(argv[2], NULL, 10) : UINT64_MAX - 1;
		enqueue_first(&workers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			return EXIT_FAILURE;
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	return EXIT_SUCCESS;
}

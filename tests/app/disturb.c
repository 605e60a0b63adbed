/* SPDX-License-Identifier: MIT */
/*
 * rough MODE COMMANDS
 * Makes COMMANDS copies (two halves, with the mode's step between them), prints their number, and:
 *
 *   plain     nothing
 *   close     closes all descriptors from 3 to 1023, opens 50 files instead, puts a pipe on 200 to
 *             299, and checks that a child and a failed exec do not change these, and at the end
 *             that no other code has written to the files
 *   first     opens a file before anything else, which may get the number of a closed stderr, and
 *             checks at the end that no other code has written to it
 *   threads   makes them from 200 threads, one after the other and at the same time
 *   stop      stops itself (SIGSTOP) between the halves
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opencl.h"

enum { FILES = 50, THREADS = 200, DESCRIPTORS = 1024, HIGH = 200, HIGHER = 300 };

static const char *source = "__kernel void nothing(void) { }\n";
static struct opencl opencl;
static cl_command_queue queue;
static cl_mem buffer;
static int files[FILES];

static void *copy(void *commands)
{
	char data[16] = "";

	for (long i = *(const long *)commands; i > 0; i--)
		opencl_check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0,
						  NULL, NULL),
			     "clEnqueueWriteBuffer");
	return NULL;
}

static void copy_threaded(long commands)
{
	pthread_t threads[THREADS];
	long each = commands / THREADS;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, copy, &each))
			exit(EXIT_FAILURE);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void open_files(void)
{
	for (int fd = 3; fd < DESCRIPTORS; fd++)
		close(fd);
	for (int i = 0; i < FILES; i++) {
		char name[32];

		snprintf(name, sizeof(name), "file.%d", i);
		files[i] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
	}
}

static int count_missing(void)
{
	int missing = 0;

	for (int fd = HIGH; fd < HIGHER; fd++)
		missing += fcntl(fd, F_GETFD) < 0;
	return missing;
}

static void use_descriptors(void)
{
	int status, ends[2];
	pid_t child;

	if (pipe(ends))
		exit(EXIT_FAILURE);
	/* EBUSY means that another thread's open has reserved the number without filling it in. */
	for (int fd = HIGH; fd < HIGHER; fd++)
		while (dup2(ends[1], fd) < 0 && errno == EBUSY)
			;
	child = fork();
	if (!child)
		_exit(count_missing());
	waitpid(child, &status, 0);
	execl("/nowhere/at/all", "all", (char *)NULL);
	printf("missing: %d in the child, %d after an exec\n", WEXITSTATUS(status),
	       count_missing());
}

static int count_spoilt(void)
{
	int spoilt = 0;

	for (int i = 0; i < FILES; i++) {
		struct stat status;

		spoilt += fstat(files[i], &status) || status.st_size;
	}
	return spoilt;
}

int main(int argc, char **argv)
{
	const char *mode = argc == 3 ? argv[1] : "plain";
	long commands = argc == 3 ? atol(argv[2]) : 2, half = commands / 2;

	if (!strcmp(mode, "first"))
		for (int i = 0; i < FILES; i++)
			files[i] = open("file.0", O_RDWR | O_CREAT, 0644);
	opencl_open(&opencl, source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	buffer = opencl_buffer(opencl.context, 16);
	copy(&half);
	if (!strcmp(mode, "close")) {
		open_files();
		use_descriptors();
	}
	if (!strcmp(mode, "stop"))
		raise(SIGSTOP);
	if (!strcmp(mode, "threads"))
		copy_threaded(half);
	else
		copy(&half);
	opencl_check(clFinish(queue), "clFinish");
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
	opencl_close(&opencl);
	printf("%ld copies\n", commands);
	if (!strcmp(mode, "close") || !strcmp(mode, "first"))
		printf("%d files spoilt\n", count_spoilt());
	return EXIT_SUCCESS;
}

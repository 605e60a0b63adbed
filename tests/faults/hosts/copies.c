/* SPDX-License-Identifier: MIT */
/*
 * copies COUNT [seal-errno|seal-kill|seal-thread|blind]
 * Makes COUNT copies on the first OpenCL device and prints that. A host that tests compile in
 * several ways, such as with a sanitizer. With `seal-` it forbids itself, at the half, system calls
 * that the library uses: openat, fstat, unlink and more fail with EPERM, or end the process. With
 * `blind`, fstat and similar calls fail with EPERM in all threads that are made after its first
 * OpenCL calls. With `seal-thread` one copy is made before, and COUNT are enqueued by a new thread
 * which is killed, with the process, if it uses a file.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { LOOKING = 2 }; /* of them only look at files */

static const unsigned forbidden[] = {
	SYS_newfstatat, SYS_fstat,    SYS_openat, SYS_flock,	 SYS_ftruncate,
	SYS_unlink,	SYS_unlinkat, SYS_fcntl,  SYS_fallocate, SYS_rt_sigpending,
};

static cl_command_queue queue;
static cl_mem buffer;
static char data[16];
static long count = 2;

static void check(long status, const char *what)
{
	if (!status)
		return;
	fprintf(stderr, "copies: %s failed with %ld\n", what, status);
	exit(EXIT_FAILURE);
}

static void seal(unsigned action, size_t count)
{
	struct sock_filter code[COUNT(forbidden) * 2 + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = {.len = (unsigned short)(count * 2 + 2), .filter = code};
	size_t at = 1;

	for (size_t i = 0; i < count; i++) {
		code[at++] =
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forbidden[i], 0, 1);
		code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	}
	code[at] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl");
	check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "prctl");
}

static void copy(cl_bool blocking)
{
	check(clEnqueueWriteBuffer(queue, buffer, blocking, 0, sizeof(data), data, 0, NULL, NULL),
	      "clEnqueueWriteBuffer");
}

static void *copy_sealed(void *argument)
{
	seal(SECCOMP_RET_KILL_PROCESS, COUNT(forbidden));
	for (long i = 0; i < count; i++)
		copy(CL_FALSE);
	check(clFinish(queue), "clFinish");
	return argument;
}

static void copy_in_thread(void)
{
	pthread_t thread;

	copy(CL_TRUE);
	check(pthread_create(&thread, NULL, copy_sealed, NULL), "pthread_create");
	check(pthread_join(thread, NULL), "pthread_join");
}

static void copy_all(const char *mode)
{
	for (long i = 0; i < count; i++) {
		if (i == count / 2 && !strcmp(mode, "seal-errno"))
			seal(SECCOMP_RET_ERRNO | EPERM, COUNT(forbidden));
		if (i == count / 2 && !strcmp(mode, "seal-kill"))
			seal(SECCOMP_RET_KILL_PROCESS, COUNT(forbidden));
		copy(CL_TRUE);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[2] : "";
	char line[32];
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_int status;
	int length;

	count = argc > 1 ? atol(argv[1]) : count;
	check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
	check(status, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &status);
	check(status, "clCreateCommandQueue");
	buffer = clCreateBuffer(context, 0, sizeof(data), NULL, &status);
	check(status, "clCreateBuffer");
	if (!strcmp(mode, "blind"))
		seal(SECCOMP_RET_ERRNO | EPERM, LOOKING);
	if (!strcmp(mode, "seal-thread"))
		copy_in_thread();
	else
		copy_all(mode);
	check(clFinish(queue), "clFinish");
	/* The library's own method checks the descriptor, which may be forbidden. */
	length = snprintf(line, sizeof(line), "%ld copies\n", count);
	check(write(STDOUT_FILENO, line, (size_t)length) != length, "write");
	clReleaseMemObject(buffer);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Runs one copy and one kernel on an OpenCL device and then prints properties of the process: its
 * threads, its descriptors, and the variables that a profiler may set.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "opencl.h"

enum { GROUP = 4 };

static const char *source =
	"__kernel void inside(__global int *data) { data[get_global_id(0)] += 1; }\n";

static int count_entries(const char *path)
{
	DIR *directory = opendir(path);
	int count = 0;

	if (!directory)
		return -1;
	while (readdir(directory))
		count++;
	closedir(directory);
	return count - 2;
}

static void show_descriptors(void)
{
	for (int fd = 3; fd < 1024; fd++) {
		char link[64], target[PATH_MAX];
		ssize_t length;

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		length = readlink(link, target, sizeof(target));
		if (length > 0)
			printf("descriptor %d: %.*s\n", fd, (int)length, target);
	}
}

static void show_variable(const char *name)
{
	const char *value = getenv(name);

	printf("%s: %s\n", name, value ? value : "not set");
}

int main(void)
{
	struct opencl opencl;
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem buffer;

	opencl_open(&opencl, source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	buffer = opencl_buffer(opencl.context, GROUP * sizeof(cl_int));
	kernel = opencl_kernel(opencl.program, "inside", buffer);
	opencl_write(queue, buffer, GROUP * sizeof(cl_int));
	opencl_launch(queue, kernel, GROUP, GROUP, NULL);
	opencl_check(clFinish(queue), "clFinish");
	printf("threads: %d\n", count_entries("/proc/self/task"));
	show_descriptors();
	show_variable("OPENCL_LAYERS");
	show_variable("CUDA_INJECTION64_PATH");
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

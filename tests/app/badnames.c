/* SPDX-License-Identifier: MIT */
/*
 * Usage: badnames LENGTH
 *
 * Launches a kernel whose name has LENGTH letters once, and one with a short name before and after
 * it. Prints the names, one per line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

static void launch(struct opencl *opencl, cl_command_queue queue, cl_program program,
		   const char *name)
{
	cl_mem buffer = opencl_buffer(opencl->context, 256);
	cl_kernel kernel = opencl_kernel(program, name, buffer);

	opencl_launch(queue, kernel, 64, 8, NULL);
	opencl_check(clFinish(queue), "clFinish");
	printf("%s\n", name);
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
	opencl_check(clReleaseMemObject(buffer), "clReleaseMemObject");
}

int main(int argc, char **argv)
{
	static const char before[] = "__kernel void ";
	static const char after[] = "(__global int *data) { data[get_global_id(0)] = 1; }\n";
	size_t length = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	char *name = malloc(length + 1), *source = malloc(length + sizeof(before) + sizeof(after));
	cl_command_queue queue;
	struct opencl opencl;
	cl_program program;

	opencl_check(name && source ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "malloc");
	for (size_t i = 0; i < length; i++)
		name[i] = (char)('a' + i % 26);
	name[length] = '\0';
	strcpy(source, before);
	strcat(source, name);
	strcat(source, after);
	opencl_open(&opencl, opencl_source);
	program = opencl_build(opencl.context, source);
	queue = opencl_queue(opencl.context, opencl.devices[0], 0);
	launch(&opencl, queue, opencl.program, "twice");
	launch(&opencl, queue, program, name);
	launch(&opencl, queue, opencl.program, "twice");
	opencl_check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	opencl_check(clReleaseProgram(program), "clReleaseProgram");
	opencl_close(&opencl);
	free(source);
	free(name);
	return EXIT_SUCCESS;
}

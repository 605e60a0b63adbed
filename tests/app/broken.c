/* SPDX-License-Identifier: MIT */
/*
 * Usage: broken
 *
 * Builds a program with an error, of which the driver may print something, and prints the result.
 */
#include <stdio.h>
#include <stdlib.h>

#include "opencl.h"

int main(void)
{
	const char *source = "__kernel void broken(__global int *a) { a[0] = undeclared; }";
	struct opencl opencl;
	cl_program program;

	opencl_open(&opencl, opencl_source);
	program = clCreateProgramWithSource(opencl.context, 1, &source, NULL, NULL);
	printf("clBuildProgram %d\n", clBuildProgram(program, 1, opencl.devices, "", NULL, NULL));
	clReleaseProgram(program);
	opencl_close(&opencl);
	return EXIT_SUCCESS;
}

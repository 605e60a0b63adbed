/* SPDX-License-Identifier: MIT */
#ifndef APP_SIMPLE_H
#define APP_SIMPLE_H

/* What every small OpenCL program needs: the first device, a context and a built program. */

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stddef.h>

enum { SIMPLE_NO_DEVICE = 77 };

struct simple {
	cl_device_id device;
	cl_context context;
	cl_program program;
};

/* Ends the process with exit code 1 and a word on stderr if `status` is an error. */
void simple_check(cl_int status, const char *what);

/* Ends the process with SIMPLE_NO_DEVICE where there is no device. */
void simple_open(struct simple *simple, const char *source);
void simple_close(struct simple *simple);

cl_command_queue simple_queue(const struct simple *simple, cl_command_queue_properties properties);
cl_kernel simple_kernel(const struct simple *simple, const char *name);
cl_mem simple_buffer(const struct simple *simple, size_t size);

/* One launch in one dimension. */
void simple_launch(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local);

#endif

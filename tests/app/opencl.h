/* SPDX-License-Identifier: MIT */
#ifndef APP_OPENCL_H
#define APP_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The common start of the OpenCL test programs. They exit with 0 on success, with 1 if a call
 * failed unexpectedly, and with NO_DEVICE without a device. Only output that a test compares goes
 * to stdout, the rest goes to stderr.
 */
enum { NO_DEVICE = 77, MAX_DEVICES = 8 };

struct opencl {
	cl_platform_id platform; /* the first one that has a device */
	cl_device_id devices[MAX_DEVICES];
	cl_uint device_count;
	cl_context context; /* of the first device alone */
	cl_program program;
};

/*
 * A few small kernels, which suffice for most programs:
 *	twice(global int *data)			data[i] *= 2
 *	spin(global int *data, int rounds)	busy for a while
 *	tile(global int *data, local int *scratch)
 *						has 256 bytes of its own local memory, too
 */
extern const char *const opencl_source;

/* Finds the devices only; exits with NO_DEVICE if there are none. */
void opencl_find(struct opencl *opencl);
/* As opencl_find, and makes the context and the program. */
void opencl_open(struct opencl *opencl, const char *source);
/* Releases the objects of opencl_open. */
void opencl_close(struct opencl *opencl);

/* Exits with 1 after a message unless `status` is CL_SUCCESS. */
void opencl_check(cl_int status, const char *what);
/* For optional features: returns true if `status` is CL_SUCCESS, otherwise prints a message on
 * stderr. */
bool opencl_did(cl_int status, const char *what);

/* Returns the resident memory in bytes. */
double opencl_resident(void);

/* These exit when they fail. `properties` of a queue: 0, or a bit mask. */
cl_context opencl_context(const cl_device_id *devices, cl_uint count);
cl_command_queue opencl_queue(cl_context context, cl_device_id device,
			      cl_command_queue_properties properties);
cl_program opencl_build(cl_context context, const char *source);
/* A kernel; its first argument is `buffer` unless that is NULL. */
cl_kernel opencl_kernel(cl_program program, const char *name, cl_mem buffer);
cl_mem opencl_buffer(cl_context context, size_t size);
cl_event opencl_gate(cl_context context); /* a user event */

/* One row of work-items, `local` 0 leaves the group size to the driver. */
void opencl_launch(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local,
		   cl_event *event);
void opencl_write(cl_command_queue queue, cl_mem buffer, size_t size);

#endif

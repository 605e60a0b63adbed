/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_KERNEL_H
#define BACKEND_OPENCL_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "backend/opencl/device.h"
#include "backend/opencl/source_access.h"

enum { KERNEL_ARGUMENTS = 64 };

struct opencl_kernel {
	atomic_uint references; /* held by the program */
	uint32_t name; /* in the session's catalog */
	bool wanted;   /* matches the user's filter */
	bool examined; /* and that of the values */
	bool has_registers;
	bool has_static_local;	 /* the driver provided it */
	bool lacks_dynamic_local; /* not all arguments were seen */
	uint32_t registers; /* per work-item */
	uint32_t static_local; /* bytes per work-group */
	uint32_t dynamic_local;
	size_t required[3]; /* its reqd_work_group_size; 0: it has none */
	atomic_uint values; /* number of its arguments in OBJECT_ARGUMENTS; 0: it has none there */
	atomic_uint value_count;   /* arguments that may be there */
	void *first_values;	   /* the first ones of these, for object_find_again */
	atomic_bool lacks_values;  /* some that may be memory are not there */
	bool asked_source;
	struct source_access source; /* how it uses its arguments, as its source shows */
	struct lines_kernel *lines; /* NULL: it is not counted by source line (lines.h) */
	atomic_uint pointer_count; /* other pointers that it uses (clSetKernelExecInfo) */
	uint32_t arguments[KERNEL_ARGUMENTS]; /* local memory size of each argument in bytes */
};

/* Returns the kernel. If its creation was not seen, it is queried and added. NULL for an invalid
 * handle, or without memory. */
struct opencl_kernel *kernel_of(cl_kernel handle);

/* Returns the first device of the kernel's program, or NULL. */
const struct opencl_device *kernel_device(cl_kernel handle);

/* Calls clReleaseKernel and returns its result. Sets `count` to the number of the program's
 * references before the call; 0 if the kernel is unknown or the call has failed. */
cl_int kernel_release(cl_kernel handle, unsigned *count);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_DEVICE_H
#define BACKEND_OPENCL_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/opencl/cl.h"

/* clGetKernelSuggestedLocalWorkSizeKHR */
typedef cl_int (*suggest_function)(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
				   const size_t *offset, const size_t *global, size_t *local);

struct opencl_device {
	cl_device_id handle;
	cl_platform_id platform;
	uint32_t id; /* in the session's catalog; a sub-device has its parent's */
	uint32_t compute; /* NVIDIA: 10 * major + minor, else 0 */
	uint32_t warp;	  /* NVIDIA: work-items that run in lockstep, else 0 */
	uint32_t version; /* of OpenCL: 100 * major + 10 * minor, 0 if unknown */
	bool is_pocl;
	bool always_times; /* also for queues without profiling */
	suggest_function suggest; /* the work-group size that it would choose; NULL: unavailable or
				   * not needed */
};

/* Returns the device, for a sub-device its root device. If its creation was not seen, it is queried
 * and added. NULL for an invalid handle, or without memory. */
const struct opencl_device *device_of(cl_device_id handle);

/* Returns true if a driver that works in the process's own threads has a known device. */
bool device_works_here(void);

/* Returns the device with this id in the catalog, for queries of the device itself; or NULL. */
const struct opencl_device *device_by_id(uint32_t id);

#endif

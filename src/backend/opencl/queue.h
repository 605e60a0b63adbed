/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_QUEUE_H
#define BACKEND_OPENCL_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "backend/opencl/context.h"
#include "backend/opencl/device.h"

enum { QUEUE_PROPERTIES = 32 };

struct opencl_queue {
	cl_command_queue handle;
	const struct opencl_device *device;
	const struct opencl_context *context;
	uint32_t stream;	 /* number, from 1 */
	bool is_of_part;	 /* its device is a sub-device */
	atomic_bool profiled;	 /* the program requested profiling */
	atomic_uint references;	 /* held by the program */
	uint32_t property_count; /* of `properties`, 0 if the program gave none */
	cl_queue_properties properties[QUEUE_PROPERTIES]; /* as passed by the program */
};

/* Returns the queue. If its creation was not seen, it is queried and added. NULL for an invalid
 * handle, or without memory. */
struct opencl_queue *queue_of(cl_command_queue handle);

/* clCreateCommandQueueWithProperties or one of its synonyms. */
typedef cl_command_queue (*queue_maker)(cl_context context, cl_device_id device,
					const cl_queue_properties *properties, cl_int *error);
cl_command_queue queue_make(queue_maker make, cl_context context, cl_device_id device,
			    const cl_queue_properties *properties, cl_int *error);

/* Flushes all queues of the program. */
void queue_flush_all(void);

#endif

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/extension.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "backend/opencl/command.h"
#include "backend/opencl/context.h"
#include "backend/opencl/device.h"
#include "backend/opencl/queue.h"

/*
 * Extension functions have no place in a dispatch table: programs look them up by name, platform by
 * platform. What the platforms gave is kept here, and the program gets a wrapper (lookup.c).
 */
enum { MAX_PLATFORMS = 16 };

struct platform_functions {
	cl_platform_id platform; /* NULL if it was looked up without a platform */
	_Atomic(void *) address; /* written last */
};

static struct platform_functions offers[EXTENSION_COUNT][MAX_PLATFORMS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void extension_keep(enum extension_id id, cl_platform_id platform, void *address)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < MAX_PLATFORMS; i++) {
		struct platform_functions *offer = &offers[id][i];

		if (offer->address && offer->platform != platform)
			continue;
		offer->platform = platform;
		offer->address = address;
		break;
	}
	pthread_mutex_unlock(&lock);
}

void *extension_real(enum extension_id id, cl_platform_id platform)
{
	for (int i = 0; i < MAX_PLATFORMS && offers[id][i].address; i++)
		if (offers[id][i].platform == platform)
			return offers[id][i].address;
	return offers[id][0].address;
}

cl_platform_id extension_platform(cl_command_queue queue)
{
	const struct opencl_queue *known = queue_of(queue);

	return known ? known->device->platform : NULL;
}

#define REAL(name, platform) ((name##_function)extension_real(EXTENSION_##name, platform))

bool extension_suggested_size(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
			      const size_t *offset, const size_t *global, size_t size[3])
{
	const struct opencl_queue *known = queue_of(queue);

	if (!known || !known->device->suggest || dimensions > 3 || !global)
		return false;
	probe_announce_none();
	/* Initialized, since some drivers report success without writing the value. */
	memset(size, 0, 3 * sizeof(*size));
	if (known->device->suggest(queue, kernel, dimensions, offset, global, size) != CL_SUCCESS)
		return false;
	for (cl_uint i = 0; i < dimensions; i++)
		if (!size[i])
			return false;
	return true;
}

cl_command_queue
extension_clCreateCommandQueueWithPropertiesKHR(cl_context context, cl_device_id device,
						const cl_queue_properties *properties,
						cl_int *error)
{
	const struct opencl_device *known = device_of(device);

	return queue_make(REAL(clCreateCommandQueueWithPropertiesKHR,
			       known ? known->platform : NULL),
			  context, device, properties, error);
}

cl_int extension_clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *target,
				      const void *source, size_t size, cl_uint wait_count,
				      const cl_event *wait, cl_event *event)
{
	/* The location of unified memory cannot be found out. */
	struct copy copy = copy_between(MEMORY_DEVICE, MEMORY_DEVICE, NULL, size);
	struct command command;
	cl_int status;

	copy.blocking = blocking;
	command_begin(&command, queue, event);
	status = REAL(clEnqueueMemcpyINTEL, extension_platform(queue))(
		queue, blocking, target, source, size, wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

cl_int extension_clEnqueueMemFillINTEL(cl_command_queue queue, void *memory, const void *pattern,
				       size_t pattern_size, size_t size, cl_uint wait_count,
				       const cl_event *wait, cl_event *event)
{
	struct copy fill = copy_fill(size);
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = REAL(clEnqueueMemFillINTEL, extension_platform(queue))(
		queue, memory, pattern, pattern_size, size, wait_count, wait, command.event);
	command_end_copy(&command, status, &fill);
	return status;
}

cl_int extension_clEnqueueMigrateMemINTEL(cl_command_queue queue, const void *memory, size_t size,
					  cl_mem_migration_flags flags, cl_uint wait_count,
					  const cl_event *wait, cl_event *event)
{
	struct copy copy = copy_migration(flags, size);
	struct command command;
	cl_int status;

	command_begin(&command, queue, event);
	status = REAL(clEnqueueMigrateMemINTEL, extension_platform(queue))(
		queue, memory, size, flags, wait_count, wait, command.event);
	command_end_copy(&command, status, &copy);
	return status;
}

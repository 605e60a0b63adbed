/* SPDX-License-Identifier: MIT */
#include "backend/opencl/queue.h"

#include <stdatomic.h>
#include <time.h>

#include "backend/opencl/functions.h"
#include "backend/opencl/object.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/traced.h"
#include "base/clock.h"
#include "model/event.h"
#include "session/session.h"

/*
 * Queues are always made with profiling on, and query.c hides that from the program. If the driver
 * refuses it, the queue is made as requested, and its records have no gputime.
 */
static atomic_uint streams;
static atomic_uint holders; /* number of threads that are about to retain a queue */

static const cl_queue_properties *find_property(const cl_queue_properties *properties,
						cl_queue_properties name)
{
	for (; properties && *properties; properties += 2)
		if (*properties == name)
			return properties + 1;
	return NULL;
}

/* Counts the entries including the final 0; 0 for NULL. */
static uint32_t count_properties(const cl_queue_properties *properties)
{
	uint32_t count = 0;

	if (!properties)
		return 0;
	while (properties[count])
		count += 2;
	return count + 1;
}

static void record_queue(const struct opencl_queue *queue, cl_queue_properties flags,
			 uint64_t enter)
{
	struct traced_event traced;
	struct queue *event = traced_reserve(&traced, FRAME_QUEUE, enter);

	if (!event)
		return;
	if (flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
		event->frame.flags |= QUEUE_UNORDERED;
	event->properties = flags;
	event->device = queue->device->id;
	event->context = queue->context->id;
	event->stream = queue->stream;
	traced_commit(&traced);
}

/* For a queue whose creation was not seen. The count may be too large if the driver includes its
 * own references, but not too small. */
static cl_uint count_references(cl_command_queue handle)
{
	cl_uint count = 0;

	next.clGetCommandQueueInfo(handle, CL_QUEUE_REFERENCE_COUNT, sizeof(count), &count, NULL);
	return count ? count : 1;
}

/* `flags` are the program's; `enter` is the time at which the queue was made, 0 if unknown. */
static struct opencl_queue *announce(cl_command_queue handle, cl_device_id device,
				     const cl_queue_properties *properties,
				     cl_queue_properties flags, uint64_t enter)
{
	cl_context context = NULL;
	struct opencl_queue queue = {.handle = handle, .device = device_of(device)};
	struct opencl_queue *placed;

	next.clGetCommandQueueInfo(handle, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL);
	queue.context = context_of(context);
	if (!queue.device || !queue.context)
		return NULL;
	queue.is_of_part = device != queue.device->handle;
	queue.stream = atomic_fetch_add(&streams, 1) + 1;
	queue.references = enter ? 1 : count_references(handle);
	queue.profiled = flags & CL_QUEUE_PROFILING_ENABLE;
	queue.property_count = count_properties(properties);
	if (queue.property_count > QUEUE_PROPERTIES)
		queue.property_count = 0;
	for (uint32_t i = 0; i < queue.property_count; i++)
		queue.properties[i] = properties[i];
	placed = object_put(OBJECT_QUEUE, handle, &queue, sizeof(queue));
	if (settings_need_calls(opencl_settings()))
		record_queue(&queue, flags, enter);
	return placed;
}

struct opencl_queue *queue_of(cl_command_queue handle)
{
	struct opencl_queue *known = object_find(OBJECT_QUEUE, handle);
	cl_command_queue_properties properties = 0;
	cl_device_id device = NULL;

	if (known || !handle)
		return known;
	if (next.clGetCommandQueueInfo(handle, CL_QUEUE_DEVICE, sizeof(device), &device, NULL) !=
	    CL_SUCCESS)
		return NULL;
	next.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof(properties), &properties,
				   NULL);
	return announce(handle, device, NULL, properties, 0);
}

cl_command_queue profiled_clCreateCommandQueue(cl_context context, cl_device_id device,
					       cl_command_queue_properties properties,
					       cl_int *error)
{
	uint64_t enter = clock_monotonic();
	cl_int status = CL_SUCCESS;
	cl_command_queue queue = next.clCreateCommandQueue(
		context, device, properties | CL_QUEUE_PROFILING_ENABLE, &status);

	if (!queue && !(properties & CL_QUEUE_PROFILING_ENABLE))
		queue = next.clCreateCommandQueue(context, device, properties, &status);
	if (error)
		*error = status;
	if (!queue || announce(queue, device, NULL, properties, enter) ||
	    properties & CL_QUEUE_PROFILING_ENABLE)
		return queue;
	/* Profiling could not be hidden. */
	next.clReleaseCommandQueue(queue);
	return next.clCreateCommandQueue(context, device, properties, error);
}

/* Writes `properties` with profiling on to `to`. Returns false if it must not or need not be
 * switched on. */
static bool force(cl_queue_properties to[QUEUE_PROPERTIES + 2],
		  const cl_queue_properties *properties)
{
	uint32_t count = count_properties(properties);
	const cl_queue_properties *flags = find_property(properties, CL_QUEUE_PROPERTIES);

	if (count > QUEUE_PROPERTIES ||
	    (flags && *flags & (CL_QUEUE_ON_DEVICE | CL_QUEUE_PROFILING_ENABLE)))
		return false;
	for (uint32_t i = 0; i < count; i++)
		to[i] = properties[i];
	if (flags) {
		to[flags - properties] |= CL_QUEUE_PROFILING_ENABLE;
		return true;
	}
	count = count ? count - 1 : 0;
	to[count] = CL_QUEUE_PROPERTIES;
	to[count + 1] = CL_QUEUE_PROFILING_ENABLE;
	to[count + 2] = 0;
	return true;
}

cl_command_queue queue_make(queue_maker make, cl_context context, cl_device_id device,
			    const cl_queue_properties *properties, cl_int *error)
{
	const cl_queue_properties *flags = find_property(properties, CL_QUEUE_PROPERTIES);
	cl_queue_properties forced[QUEUE_PROPERTIES + 2];
	uint64_t enter = clock_monotonic();
	cl_command_queue queue = NULL;
	cl_int status = CL_SUCCESS;
	bool is_forced;

	is_forced = force(forced, properties);
	if (is_forced)
		queue = make(context, device, forced, &status);
	if (!queue)
		queue = make(context, device, properties, &status);
	if (error)
		*error = status;
	if (!queue || (flags && *flags & CL_QUEUE_ON_DEVICE) ||
	    announce(queue, device, properties, flags ? *flags : 0, enter) || !is_forced)
		return queue;
	next.clReleaseCommandQueue(queue);
	return make(context, device, properties, error);
}

cl_command_queue profiled_clCreateCommandQueueWithProperties(cl_context context,
							     cl_device_id device,
							     const cl_queue_properties *properties,
							     cl_int *error)
{
	return queue_make(next.clCreateCommandQueueWithProperties, context, device, properties,
			  error);
}

cl_int profiled_clRetainCommandQueue(cl_command_queue handle)
{
	struct opencl_queue *queue = object_find(OBJECT_QUEUE, handle);
	cl_int status = next.clRetainCommandQueue(handle);

	if (queue && status == CL_SUCCESS)
		atomic_fetch_add(&queue->references, 1);
	return status;
}

/* Waits for threads that are about to retain a queue. Called after the program's last reference is
 * gone here and before the driver releases the queue. The wait is short: in a forked child such a
 * thread may not exist, and a driver may block it. */
static void await_holders(void)
{
	static const struct timespec pause = {.tv_nsec = 50000};

	for (int tries = 1000; tries && atomic_load(&holders); tries--)
		nanosleep(&pause, NULL);
}

/* PoCL 3.1 uses a sub-device that it has freed, if the release of an event is the last one of its
 * queue, and the program has released all else of the sub-device. So no event may be kept. */
static bool may_free_part(const struct opencl_queue *queue)
{
	return queue && queue->is_of_part && queue->device->is_pocl;
}

cl_int profiled_clReleaseCommandQueue(cl_command_queue handle)
{
	struct opencl_queue *queue = object_find(OBJECT_QUEUE, handle);
	bool frees_part = may_free_part(queue);
	unsigned count = queue ? object_release(OBJECT_QUEUE, handle, &queue->references) : 0;
	cl_int status;

	if (count == 1 && frees_part)
		session_flush(); /* releases the events */
	if (count == 1)
		await_holders();
	status = next.clReleaseCommandQueue(handle);
	if (status != CL_SUCCESS && queue)
		object_undo_release(OBJECT_QUEUE, handle, &queue->references, count);
	return status;
}

cl_int profiled_clSetCommandQueueProperty(cl_command_queue handle,
					  cl_command_queue_properties properties, cl_bool enable,
					  cl_command_queue_properties *old)
{
	struct opencl_queue *queue = queue_of(handle);
	cl_command_queue_properties passed = properties;
	cl_int status;

	if (queue && !enable)
		passed &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
	status = next.clSetCommandQueueProperty(handle, passed, enable, old);
	if (!queue || status != CL_SUCCESS)
		return status;
	if (old && !queue->profiled)
		*old &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
	if (properties & CL_QUEUE_PROFILING_ENABLE)
		queue->profiled = enable;
	return status;
}

/* Another thread may release the queue meanwhile: the queue is retained, or skipped. */
static void flush(void *object)
{
	const struct opencl_queue *queue = object;
	cl_command_queue handle = queue->handle;
	bool held;

	atomic_fetch_add(&holders, 1);
	held = atomic_load(&queue->references) && queue->handle == handle &&
	       next.clRetainCommandQueue(handle) == CL_SUCCESS;
	atomic_fetch_sub(&holders, 1);
	if (!held)
		return;
	next.clFlush(handle);
	next.clReleaseCommandQueue(handle);
}

void queue_flush_all(void)
{
	object_each(OBJECT_QUEUE, flush);
}

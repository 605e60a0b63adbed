/* SPDX-License-Identifier: MIT */
#include "backend/opencl/compiler.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/object.h"
#include "backend/opencl/queue.h"
#include "backend/opencl/traced.h"
#include "base/clock.h"
#include "model/event.h"
#include "session/session.h"

/*
 * Calls that wait for the device. They make no records, but the time stamps of earlier commands can
 * be read after them. When calls are recorded they make wait events. Blocking reads, writes and
 * maps do not: their call already shows the wait.
 */

cl_int profiled_clFinish(cl_command_queue queue)
{
	cl_int status = next.clFinish(queue);

	session_nudge();
	compiler_waited();
	return status;
}

cl_int profiled_clWaitForEvents(cl_uint count, const cl_event *events)
{
	cl_int status = next.clWaitForEvents(count, events);

	session_nudge();
	compiler_waited();
	return status;
}

/* `queue` is the queue that waited or was waited for, NULL if unknown. */
static void record_wait(enum wait_kind kind, const struct opencl_queue *queue, cl_event waited,
			uint64_t enter)
{
	struct traced_event traced;
	struct wait *event = traced_reserve(&traced, FRAME_WAIT, enter);

	if (!event)
		return;
	event->kind = (uint16_t)kind;
	event->event = (uintptr_t)waited;
	event->device = queue ? queue->device->id : UINT32_MAX;
	event->context = queue ? queue->context->id : UINT32_MAX;
	event->stream = queue ? queue->stream : UINT32_MAX;
	traced_commit(&traced);
}

cl_int traced_clFinish(cl_command_queue queue)
{
	uint64_t enter = clock_monotonic();
	cl_int status = profiled_clFinish(queue);

	if (status == CL_SUCCESS)
		record_wait(WAIT_FOR_STREAM, queue_of(queue), NULL, enter);
	return status;
}

/* Returns the queue of the event's command; NULL for user events. An unknown queue is not queried:
 * the program may have released it, and it ends with the event. */
static const struct opencl_queue *queue_behind(cl_event event)
{
	cl_command_queue queue = NULL;

	next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, NULL);
	return object_find(OBJECT_QUEUE, queue);
}

/* Records one wait, for the first event. The event is queried before the call, since it may not
 * exist after it. */
cl_int traced_clWaitForEvents(cl_uint count, const cl_event *events)
{
	cl_event first = count && events ? events[0] : NULL;
	const struct opencl_queue *queue = first ? queue_behind(first) : NULL;
	uint64_t enter = clock_monotonic();
	cl_int status = profiled_clWaitForEvents(count, events);

	/* A wait for a failed command has also ended. */
	if (status == CL_SUCCESS || status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
		record_wait(WAIT_FOR_EVENT, queue, first, enter);
	return status;
}

/* A barrier without events orders its own queue only and waits for no named event. */
static void tell_barrier(cl_int status, cl_command_queue queue, cl_uint count,
			 const cl_event *events, uint64_t enter)
{
	if (status == CL_SUCCESS && count && events)
		record_wait(WAIT_STREAM_FOR_EVENT, queue_of(queue), events[0], enter);
}

cl_int traced_clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count, const cl_event *events)
{
	uint64_t enter = clock_monotonic();
	cl_int status = next.clEnqueueWaitForEvents(queue, count, events);

	tell_barrier(status, queue, count, events, enter);
	return status;
}

cl_int traced_clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint count,
					   const cl_event *events, cl_event *event)
{
	uint64_t enter = clock_monotonic();
	cl_int status = next.clEnqueueBarrierWithWaitList(queue, count, events, event);

	tell_barrier(status, queue, count, events, enter);
	return status;
}

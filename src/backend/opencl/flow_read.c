/* SPDX-License-Identifier: MIT */
#include "backend/opencl/flow_read.h"

#include "backend/opencl/event_watch.h"
#include "backend/opencl/flow_pending.h"
#include "backend/opencl/flow_wait.h"
#include "backend/opencl/next.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/queue.h"
#include "base/address_space.h"
#include "base/memory.h"

static void *room;
static size_t room_size;
static struct event_watch *writing; /* a read that was not waited for: it may write to `room` */

static bool has_calls(const struct opencl_queue *queue)
{
	return queue && queue->device->version >= 110;
}

enum change_reason flow_read_wait(cl_command_queue queue)
{
	struct event_watch *watch;
	cl_int status;

	if (opencl_is_gone())
		return CHANGE_FAILED;
	if (flow_pending_defer(queue))
		return CHANGE_PENDING;
	if (!event_watch_marker(queue, &watch))
		return CHANGE_FAILED;
	if (flow_pending_add(queue, watch))
		return CHANGE_PENDING;
	/* The commands may wait for those of other queues. */
	queue_flush_all();
	status = event_watch_wait(watch);
	event_watch_end(watch);
	if (status > CL_COMPLETE) {
		flow_give_up();
		return CHANGE_PENDING;
	}
	return status == CL_COMPLETE ? CHANGE_COMPARED : CHANGE_FAILED;
}

static bool make_room(uint64_t bytes)
{
	void *made;

	if (bytes <= room_size)
		return true;
	if (!address_space_take(bytes))
		return false;
	made = memory_map(bytes);
	if (!made) {
		address_space_give(bytes);
		return false;
	}
	memory_unmap(room, room_size);
	address_space_give(room_size);
	room = made;
	room_size = bytes;
	return true;
}

/* Returns false while an earlier read may still write to `room`. */
static bool room_is_free(void)
{
	if (!writing)
		return true;
	if (event_watch_status(writing) > CL_COMPLETE)
		return false;
	event_watch_end(writing);
	writing = NULL;
	return true;
}

/* A read that was not waited for. Without memory to watch it, `room` stays the driver's. */
static void leave_read(cl_command_queue queue, cl_event event)
{
	writing = event_watch_begin(event, has_calls(queue_of(queue)));
	if (writing)
		return;
	room = NULL;
	room_size = 0;
}

enum change_reason flow_read(cl_command_queue queue, cl_mem handle, uint64_t offset, uint64_t bytes,
			     const void **to)
{
	cl_event event = NULL;
	cl_int status = CL_QUEUED;
	enum change_reason reason;

	if (flow_pending_may_wait() || !room_is_free())
		return CHANGE_PENDING;
	if (!make_room(bytes))
		return CHANGE_MEMORY;
	if (next.clEnqueueReadBuffer(queue, handle, CL_FALSE, offset, bytes, room, 0, NULL,
				     &event) != CL_SUCCESS)
		return CHANGE_FAILED;
	reason = flow_read_wait(queue);
	if (next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
				NULL) != CL_SUCCESS)
		status = CL_QUEUED;
	if (status > CL_COMPLETE)
		leave_read(queue, event);
	else
		next.clReleaseEvent(event);
	if (reason != CHANGE_COMPARED)
		return reason;
	*to = room;
	return status == CL_COMPLETE ? CHANGE_COMPARED : CHANGE_FAILED;
}

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/event_watch.h"

#include <stdlib.h>
#include <time.h>

#include "backend/opencl/flow_wait.h"
#include "backend/opencl/next.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/queue.h"
#include "base/clock.h"

static void let_go(struct event_watch *watch)
{
	if (atomic_fetch_sub(&watch->holders, 1) == 1)
		free(watch);
}

static void CL_CALLBACK over(cl_event event, cl_int status, void *argument)
{
	struct event_watch *watch = argument;

	(void)event;
	watch->status = status;
	atomic_store(&watch->is_over, 1);
	flow_wake(&watch->is_over);
	let_go(watch);
}

static cl_int ask(cl_event event)
{
	cl_int status = CL_QUEUED;

	return next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
				   &status, NULL) == CL_SUCCESS
		       ? status
		       : -1;
}

static bool call_back(struct event_watch *watch, cl_event event)
{
	atomic_store(&watch->holders, 2);
	if (next.clSetEventCallback(event, CL_COMPLETE, over, watch) == CL_SUCCESS)
		return true;
	atomic_store(&watch->holders, 1);
	return false;
}

struct event_watch *event_watch_begin(cl_event event, bool has_calls)
{
	struct event_watch *watch = malloc(sizeof(*watch));
	cl_int status = ask(event);
	bool is_over = status <= CL_COMPLETE;

	if (watch) {
		*watch = (struct event_watch){.status = status, .is_over = is_over, .holders = 1};
		if (!is_over && !(has_calls && next.clSetEventCallback && call_back(watch, event)))
			watch->event = event;
	}
	if (!watch || !watch->event)
		next.clReleaseEvent(event);
	return watch;
}

bool event_watch_marker(cl_command_queue queue, struct event_watch **watch)
{
	const struct opencl_queue *known = queue_of(queue);
	uint32_t version = known ? known->device->version : 0;
	cl_event marker = NULL;
	cl_int status;

	*watch = NULL;
	if (version < 120 || !next.clEnqueueMarkerWithWaitList)
		status = next.clEnqueueMarker(queue, &marker);
	else
		status = next.clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker);
	if (status != CL_SUCCESS || !marker)
		return false;
	*watch = event_watch_begin(marker, version >= 110);
	return true;
}

cl_int event_watch_status(const struct event_watch *watch)
{
	if (!watch->event)
		return atomic_load(&watch->is_over) ? watch->status : CL_QUEUED;
	return opencl_is_gone() ? CL_QUEUED : ask(watch->event);
}

/* Without a callback the driver is asked again and again. */
static bool pause_before(uint64_t limit)
{
	static const struct timespec pause = {.tv_nsec = 50000};

	if (!flow_is_on() || clock_monotonic() >= limit)
		return false;
	nanosleep(&pause, NULL);
	return true;
}

cl_int event_watch_wait(struct event_watch *watch)
{
	uint64_t limit = clock_monotonic() + FLOW_PATIENCE;
	cl_int status;

	while ((status = event_watch_status(watch)) > CL_COMPLETE &&
	       (watch->event ? pause_before(limit) : flow_sleep(&watch->is_over, 0, limit)))
		;
	return status;
}

void event_watch_end(struct event_watch *watch)
{
	if (watch->event && !opencl_is_gone())
		next.clReleaseEvent(watch->event);
	let_go(watch);
}

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_EVENT_WATCH_H
#define BACKEND_OPENCL_EVENT_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "backend/opencl/cl.h"

/*
 * Whether a command of the profiler has ended. Its event is not kept: an event keeps its queue and
 * context, whose destructor the program may wait for; and PoCL 3.1 crashes if an event is released
 * after the sub-device of its queue.
 */
struct event_watch {
	_Atomic uint32_t is_over; /* a futex, which is woken */
	atomic_int holders;	  /* the caller, and the driver until it is over */
	cl_int status;		  /* when it is over */
	cl_event event;		  /* without a callback: kept; otherwise NULL */
};

/* Takes the event. `has_calls`: the driver is of OpenCL 1.1 or later and has clSetEventCallback.
 * Returns NULL without memory; otherwise the caller calls event_watch_end. */
struct event_watch *event_watch_begin(cl_event event, bool has_calls);

/* Enqueues a marker behind all commands of the queue. Returns false if the driver refuses it;
 * otherwise `watch` is as of event_watch_begin. */
bool event_watch_marker(cl_command_queue queue, struct event_watch **watch);

/* Returns CL_COMPLETE; or a negative number if the command has failed; or a positive one if it has
 * not ended. */
cl_int event_watch_status(const struct event_watch *watch);

/* The same; waits at most FLOW_PATIENCE (flow_wait.h), and not longer than the data flow. */
cl_int event_watch_wait(struct event_watch *watch);

void event_watch_end(struct event_watch *watch);

#endif

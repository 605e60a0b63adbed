/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_FLOW_PENDING_H
#define BACKEND_OPENCL_FLOW_PENDING_H

#include <stdbool.h>

#include "backend/opencl/event_watch.h"

/*
 * Commands that may wait for the program: for a user event that it has not completed yet, or for a
 * callback of an event, in which it may wait for the thread that enqueues. While there are such
 * commands nothing is compared, since they may change memory at any moment.
 */

/* If there are user events that are not complete, returns true: the newest command of the queue may
 * wait for them. A marker is enqueued when all are complete, not before: the program may set a
 * negative status, so that the marker fails, and PoCL 3.1 aborts if a command fails whose event is
 * released. */
bool flow_pending_defer(cl_command_queue queue);

/* `marker` is behind the newest commands of the queue. Returns true if they may wait for the
 * program, and takes the marker; otherwise it stays the caller's. NULL, for lack of memory: nothing
 * is compared from now on. */
bool flow_pending_add(cl_command_queue queue, struct event_watch *marker);

/* Returns true if commands from now on may be such ones. */
bool flow_pending_may_wait(void);

/* The driver is unloaded, and all events with it. */
void flow_pending_forget(void);

#endif

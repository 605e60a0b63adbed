/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "opencl.h"

/*
 * Events: the life of a command. Nothing runs here; a command is complete when its time has come
 * and it is queried. While it is pending the driver holds its event and its kernel.
 */
static int64_t made; /* commands */

static uint64_t clock_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t host_clock(void)
{
	return clock_of(CLOCK_MONOTONIC);
}

cl_ulong device_clock(void)
{
	static uint64_t first;
	uint64_t now = host_clock();

	if (!strcmp(script.clock, "raw"))
		return clock_of(CLOCK_MONOTONIC_RAW);
	if (!strcmp(script.clock, "real"))
		return clock_of(CLOCK_REALTIME);
	if (strcmp(script.clock, "own") != 0)
		return now;
	first = first ? first : now;
	return now + (uint64_t)script.offset +
	       (uint64_t)((int64_t)(now - first) * script.drift / 1000000);
}

static bool is_meant(int64_t word, int64_t number)
{
	if (word < -1)
		return number <= -word;
	return word == -1 || (word && word == number);
}

static void end_command(cl_event event)
{
	event->pending = false;
	*event->link = event->older;
	if (event->older)
		event->older->link = event->link;
	if (!script.holds)
		object_release(event->kernel);
	object_release(event);
}

void queue_update(cl_command_queue queue, bool all)
{
	uint64_t now = host_clock();
	cl_event event, older;

	object_retain(queue); /* which the last of its events may release */
	for (event = queue->pending; event; event = older) {
		older = event->older;
		if (all || event->due <= now)
			end_command(event);
	}
	object_release(queue);
}

void event_update(cl_event event)
{
	if (event->pending && event->due <= host_clock())
		end_command(event);
}

static void add_pending(cl_event event)
{
	cl_event *link = &event->queue->pending;

	event->pending = true;
	event->older = *link;
	event->link = link;
	if (event->older)
		event->older->link = &event->older;
	*link = event;
}

static void start(cl_event event)
{
	if (event->due == UINT64_MAX && event->delay != UINT64_MAX)
		event->due = host_clock() + event->delay;
}

void queue_start(cl_command_queue queue)
{
	for (cl_event event = queue->pending; event; event = event->older)
		start(event);
}

static void stamp(cl_event event)
{
	cl_ulong *stamps = event->stamps;

	if (event->number == 1 && script.slow)
		nanosleep(&(struct timespec){.tv_nsec = script.slow * 1000000}, NULL);
	stamps[0] = device_clock();
	stamps[1] = stamps[0] + 100;
	stamps[2] = stamps[0] + 200;
	stamps[3] = stamps[2] + (cl_ulong)event->number * 1000;
	if (!strcmp(script.stamps, "zero"))
		memset(stamps, 0, sizeof(event->stamps));
	if (!strcmp(script.stamps, "backwards"))
		stamps[3] = stamps[2] - 50;
	if (!strcmp(script.stamps, "early"))
		stamps[1] = stamps[2] + 1000000;
}

/* Returns true if the command gets a number. By default all commands do. */
static bool is_counted(cl_command_queue queue, cl_command_type type)
{
	return !script.unnumbered || (type != CL_COMMAND_MARKER && type != CL_COMMAND_READ_BUFFER &&
				      queue->properties & CL_QUEUE_PROFILING_ENABLE);
}

cl_int command_make(cl_command_queue queue, cl_command_type type, cl_kernel kernel,
		    cl_uint wait_count, const cl_event *wait, cl_event *to)
{
	static int64_t calls;
	cl_event event;
	int64_t delay;

	if (!object_is(queue, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	for (cl_uint i = 0; i < wait_count; i++)
		if (!object_is(wait[i], KIND_EVENT))
			return CL_INVALID_EVENT_WAIT_LIST;
	if (is_meant(script.refuse, ++calls))
		return CL_OUT_OF_RESOURCES;
	event = object_make(KIND_EVENT, sizeof(*event));
	made += is_counted(queue, type);
	event->number = made;
	event->type = type;
	event->queue = queue;
	object_retain(queue);
	event->kernel = kernel;
	object_retain(kernel);
	stamp(event);
	event->result = is_meant(script.fail, made) ? CL_OUT_OF_RESOURCES : CL_COMPLETE;
	delay = script.late + script.step * (made - 1);
	event->delay = delay > 0 ? (uint64_t)delay * 1000000 : 0;
	if (is_meant(script.never, made))
		event->delay = UINT64_MAX;
	event->due = UINT64_MAX;
	if (!script.lazy)
		start(event);
	add_pending(event);
	if (to) {
		object_retain(event);
		*to = event;
	}
	return CL_SUCCESS;
}

cl_int fake_clRetainEvent(cl_event event)
{
	return object_count(event, KIND_EVENT, 1, CL_INVALID_EVENT);
}

cl_int fake_clReleaseEvent(cl_event event)
{
	return object_count(event, KIND_EVENT, -1, CL_INVALID_EVENT);
}

cl_int fake_clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value,
			   size_t *size_ret)
{
	cl_int status;
	LOCKED();

	if (!object_is(event, KIND_EVENT))
		return CL_INVALID_EVENT;
	event_update(event);
	switch (what) {
	case CL_EVENT_COMMAND_QUEUE:
		return answer(&event->queue, sizeof(event->queue), size, value, size_ret);
	case CL_EVENT_COMMAND_TYPE:
		return answer(&event->type, sizeof(event->type), size, value, size_ret);
	case CL_EVENT_COMMAND_EXECUTION_STATUS:
		status = event->pending ? CL_SUBMITTED : event->result;
		return answer(&status, sizeof(status), size, value, size_ret);
	case CL_EVENT_REFERENCE_COUNT:
		return answer(&event->object.references, sizeof(cl_uint), size, value, size_ret);
	default:
		return CL_INVALID_VALUE;
	}
}

static unsigned stamp_queries;

void event_print_stamp_count(void)
{
	if (script.stampcount)
		fprintf(stderr, "%u queries of time stamps\n", stamp_queries);
}

cl_int fake_clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size,
				    void *value, size_t *size_ret)
{
	LOCKED();

	stamp_queries++;
	if (!object_is(event, KIND_EVENT))
		return CL_INVALID_EVENT;
	event_update(event);
	if (!(script.oclgrind || event->queue->properties & CL_QUEUE_PROFILING_ENABLE) ||
	    event->pending ||
	    event->result != CL_COMPLETE || !strcmp(script.stamps, "error"))
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	if (what < CL_PROFILING_COMMAND_QUEUED || what > CL_PROFILING_COMMAND_END)
		return CL_INVALID_VALUE;
	if (!strcmp(script.stamps, "untouched"))
		return CL_SUCCESS;
	return answer(&event->stamps[what - CL_PROFILING_COMMAND_QUEUED], sizeof(cl_ulong), size,
		      value, size_ret);
}

/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backend/cuda/cupti_events.h"
#include "cuda_driver.h"

/* Streams and events. A stream is represented by the end of its last command. */

enum { FIRST_STREAM = 13, LEGACY = 1, PER_THREAD = 2 };

struct stream *stream_make(struct context *context, long thread)
{
	static uint32_t last = FIRST_STREAM - 1;
	struct stream *stream = object_make(KIND_STREAM, sizeof(*stream));
	LOCKED();

	stream->context = context;
	stream->id = ++last;
	stream->thread = thread;
	stream->older = context->streams;
	context->streams = stream;
	return stream;
}

static struct stream *of_thread(struct context *context)
{
	long thread = syscall(SYS_gettid);
	struct stream *stream;

	driver_lock();
	stream = context->streams;
	while (stream && stream->thread != thread)
		stream = stream->older;
	driver_unlock(NULL);
	return stream ? stream : stream_make(context, thread);
}

static struct stream *resolve(struct context *context, struct stream *stream, bool per_thread)
{
	uintptr_t number = (uintptr_t)stream;

	if (number > PER_THREAD)
		return object_is(stream, KIND_STREAM) ? stream : NULL;
	return number == PER_THREAD || (!number && per_thread) ? of_thread(context)
							       : &context->null_stream;
}

struct stream *stream_of(struct stream *stream, bool per_thread)
{
	struct context *context = context_current();

	if (!object_is(context, KIND_CONTEXT))
		return NULL;
	return resolve(context, stream, per_thread);
}

uint32_t stream_id(struct context *context, struct stream *stream, bool per_thread)
{
	struct stream *found = resolve(context, stream, per_thread);

	return found ? found->id : 0;
}

/* CUPTI identifies a stream by its handle, NULL for the NULL stream. */
static void tell(uint32_t callback, struct stream *stream)
{
	call_resource(callback, stream->context, stream, NULL);
}

void stream_wait(struct stream *stream)
{
	uint64_t due;

	driver_lock();
	due = stream->due;
	driver_unlock(NULL);
	clock_reach(due);
}

void context_wait(struct context *context)
{
	uint64_t due;

	driver_lock();
	due = context->null_stream.due;
	for (struct stream *stream = context->streams; stream; stream = stream->older)
		due = stream->due > due ? stream->due : due;
	driver_unlock(NULL);
	clock_reach(due);
}

int fake_cuStreamCreateWithPriority(struct stream **stream, unsigned flags, int priority)
{
	struct context *context = context_current();

	if (!object_is(context, KIND_CONTEXT))
		return CUDA_INVALID_CONTEXT;
	*stream = stream_make(context, 0);
	tell(CUPTI_RESOURCE_STREAM_CREATED, *stream);
	tell_stream(*stream, flags, priority);
	return CUDA_DONE;
}

int fake_cuStreamCreate(struct stream **stream, unsigned flags)
{
	return fake_cuStreamCreateWithPriority(stream, flags, 0);
}

int fake_cuStreamDestroy_v2(struct stream *stream)
{
	if (!object_is(stream, KIND_STREAM))
		return CUDA_INVALID_HANDLE;
	tell(CUPTI_RESOURCE_STREAM_DESTROY_STARTING, stream);
	__atomic_store_n(&stream->object.released, true, __ATOMIC_RELAXED);
	return CUDA_DONE;
}

int fake_cuStreamDestroy(struct stream *stream)
{
	return fake_cuStreamDestroy_v2(stream);
}

int fake_cuStreamSynchronize(struct stream *stream)
{
	struct stream *found = stream_of(stream, false);
	uint64_t now = clock_now();

	if (!found)
		return CUDA_INVALID_CONTEXT;
	stream_wait(found);
	tell_wait(CUPTI_WAIT_STREAM, found, NULL, now);
	return CUDA_DONE;
}

int fake_cuStreamQuery(struct stream *stream)
{
	struct stream *found = stream_of(stream, false);
	LOCKED();

	if (!found)
		return CUDA_INVALID_CONTEXT;
	return found->due > clock_now() ? CUDA_NOT_READY : CUDA_DONE;
}

int fake_cuStreamWaitEvent(struct stream *stream, struct event *event, unsigned flags)
{
	struct stream *found = stream_of(stream, false);

	if (!found || !object_is(event, KIND_EVENT))
		return CUDA_INVALID_HANDLE;
	driver_lock();
	if (found->end < event->end)
		found->end = event->end;
	driver_unlock(NULL);
	tell_wait(CUPTI_WAIT_STREAM_EVENT, found, event, clock_now());
	return CUDA_DONE;
}

static unsigned captures; /* in progress */
static bool is_broken;	  /* one of them, or all, is invalid */

bool capture_breaks(void)
{
	if (!__atomic_load_n(&captures, __ATOMIC_RELAXED))
		return false;
	__atomic_store_n(&is_broken, true, __ATOMIC_RELAXED);
	return true;
}

int fake_cuStreamBeginCapture_v2(struct stream *stream, int mode)
{
	if ((uintptr_t)stream <= PER_THREAD || !object_is(stream, KIND_STREAM) || stream->capture)
		return CUDA_ILLEGAL_STATE;
	stream->capture = graph_make();
	__atomic_add_fetch(&captures, 1, __ATOMIC_RELAXED);
	return CUDA_DONE;
}

int fake_cuStreamBeginCapture(struct stream *stream)
{
	return fake_cuStreamBeginCapture_v2(stream, 0);
}

int fake_cuStreamEndCapture(struct stream *stream, struct graph **graph)
{
	if (!object_is(stream, KIND_STREAM) || !stream->capture)
		return CUDA_ILLEGAL_STATE;
	*graph = stream->capture;
	stream->capture = NULL;
	__atomic_sub_fetch(&captures, 1, __ATOMIC_RELAXED);
	if (!__atomic_exchange_n(&is_broken, false, __ATOMIC_RELAXED))
		return CUDA_DONE;
	*graph = NULL;
	return CUDA_CAPTURE_INVALIDATED;
}

int fake_cuEventCreate(struct event **event, unsigned flags)
{
	static uint32_t last;

	if (!context_current())
		return CUDA_INVALID_CONTEXT;
	*event = object_make(KIND_EVENT, sizeof(**event));
	(*event)->id = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
	return CUDA_DONE;
}

int fake_cuEventRecord(struct event *event, struct stream *stream)
{
	struct stream *found = stream_of(stream, false);
	uint64_t now = clock_now();
	LOCKED();

	if (!found || !object_is(event, KIND_EVENT))
		return CUDA_INVALID_HANDLE;
	event->recorded = true;
	event->end = found->end > now ? found->end : now;
	event->due = found->due > now ? found->due : now;
	tell_recorded(event, found);
	return CUDA_DONE;
}

int fake_cuEventSynchronize(struct event *event)
{
	uint64_t due, now = clock_now();

	if (!object_is(event, KIND_EVENT))
		return CUDA_INVALID_HANDLE;
	driver_lock();
	due = event->due;
	driver_unlock(NULL);
	clock_reach(due);
	tell_wait(CUPTI_WAIT_EVENT, NULL, event, now);
	return CUDA_DONE;
}

int fake_cuEventQuery(struct event *event)
{
	LOCKED();

	if (!object_is(event, KIND_EVENT))
		return CUDA_INVALID_HANDLE;
	return event->due > clock_now() ? CUDA_NOT_READY : CUDA_DONE;
}

int fake_cuEventElapsedTime(float *milliseconds, struct event *start, struct event *end)
{
	LOCKED();

	if (!object_is(start, KIND_EVENT) || !object_is(end, KIND_EVENT) || !start->recorded ||
	    !end->recorded)
		return CUDA_INVALID_HANDLE;
	*milliseconds = (float)((double)(int64_t)(end->end - start->end) / 1e6);
	return end->due > clock_now() ? CUDA_NOT_READY : CUDA_DONE;
}

int fake_cuEventElapsedTime_v2(float *milliseconds, struct event *start, struct event *end)
{
	return fake_cuEventElapsedTime(milliseconds, start, end);
}

int fake_cuEventDestroy_v2(struct event *event)
{
	if (!object_is(event, KIND_EVENT))
		return CUDA_INVALID_HANDLE;
	__atomic_store_n(&event->object.released, true, __ATOMIC_RELAXED);
	return CUDA_DONE;
}

int fake_cuEventDestroy(struct event *event)
{
	return fake_cuEventDestroy_v2(event);
}

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/source.h"

#include "backend/opencl/commandbuffer.h"
#include "backend/opencl/compiler.h"
#include "backend/opencl/device.h"
#include "backend/opencl/event_times.h"
#include "backend/opencl/next.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/queue.h"
#include "backend/opencl/timebase.h"

static cl_event event_of(const struct record *record)
{
	return (cl_event)(uintptr_t)record->handle;
}

static void release(struct record *record)
{
	if (!opencl_is_gone())
		next.clReleaseEvent(event_of(record));
	record->handle = 0;
}

/* Returns true if the queued and submitted times are used. */
static bool is_whole(const struct record *record)
{
	return session_writes_trace(API_OPENCL) || timebase_is_due(record);
}

static int poll(struct record *record)
{
	if (opencl_is_gone())
		return 0;
	switch (event_times_read(event_of(record), record, is_whole(record))) {
	case STAMPS_RUNNING:
		return 0;
	case STAMPS_GOOD:
		if (!commandbuffer_has_times(record)) {
			record->queued = record->submitted = record->started = record->ended = 0;
			break;
		}
		timebase_to_epoch(device_by_id(record->device), record);
		if (!record->queued) /* not read: a trace may begin before the record is written */
			record->queued = record->submitted = record->started;
		record->known |= KNOWN_TIMES;
		break;
	case STAMPS_BAD:
		record->frame.flags |= RECORD_BAD_TIMES;
		break;
	case STAMPS_FAILED:
		record->frame.flags |= RECORD_FAILED;
		break;
	case STAMPS_NONE:
		break;
	}
	release(record);
	return 1;
}

static void flush(void)
{
	if (!opencl_is_gone())
		queue_flush_all();
}

const struct source opencl_source = {
	.poll = poll,
	.release = release,
	.flush = flush,
	.works_here = device_works_here,
	.has_compiled = compiler_is_used,
};

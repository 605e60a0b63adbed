/* SPDX-License-Identifier: MIT */
#include "backend/opencl/source.h"

#include "backend/opencl/functions.h"
#include "backend/opencl/object.h"
#include "backend/opencl/opencl.h"
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

/* False: the driver has no time stamps for this command, good or bad. */
static bool read_stamps(struct record *record)
{
	static const cl_profiling_info names[] = {
		CL_PROFILING_COMMAND_QUEUED,
		CL_PROFILING_COMMAND_SUBMIT,
		CL_PROFILING_COMMAND_START,
		CL_PROFILING_COMMAND_END,
	};
	uint64_t *const to[] = {
		&record->queued,
		&record->submitted,
		&record->started,
		&record->ended,
	};

	/* Set to zero first: some drivers report success and write nothing. */
	for (int i = 0; i < 4; i++) {
		cl_ulong stamp = 0;

		if (next.clGetEventProfilingInfo(event_of(record), names[i], sizeof(stamp), &stamp,
						 NULL) != CL_SUCCESS)
			return false;
		*to[i] = stamp;
	}
	return true;
}

static void forget_stamps(struct record *record)
{
	record->queued = record->submitted = record->started = record->ended = 0;
}

static void take_times(struct record *record)
{
	if (!read_stamps(record)) {
		forget_stamps(record);
		return;
	}
	if (!record->queued || record->queued > record->submitted ||
	    record->submitted > record->started || record->started > record->ended) {
		forget_stamps(record);
		record->frame.flags |= RECORD_BAD_TIMES;
		return;
	}
	timebase_to_epoch(device_by_id(record->device), record);
	record->known |= KNOWN_TIMES;
}

static int poll(struct record *record)
{
	cl_int status = CL_QUEUED;

	if (opencl_is_gone())
		return 0;
	if (next.clGetEventInfo(event_of(record), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
				&status, NULL) != CL_SUCCESS)
		status = -1;
	if (status > CL_COMPLETE)
		return 0;
	if (status == CL_COMPLETE)
		take_times(record);
	else
		record->frame.flags |= RECORD_FAILED;
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
};

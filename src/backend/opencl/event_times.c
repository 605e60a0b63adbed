/* SPDX-License-Identifier: MIT */
#include "backend/opencl/event_times.h"

#include "backend/opencl/next.h"
#include "model/catalog.h"

enum {
	FIRST = 64,  /* the first commands of a device are checked fully, */
	SAMPLE = 64, /* and later one of this many */
};

static struct trust {
	uint32_t commands; /* number of complete commands */
	bool lost;
} trusts[CATALOG_DEVICES];

/* Initialized, since some drivers report success without writing the value. */
static bool read_stamp(cl_event event, cl_profiling_info name, uint64_t *to)
{
	cl_ulong stamp = 0;
	cl_int status = next.clGetEventProfilingInfo(event, name, sizeof(stamp), &stamp, NULL);

	*to = stamp;
	return status == CL_SUCCESS;
}

static cl_int ask_status(cl_event event)
{
	cl_int status = CL_QUEUED;

	if (next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
				NULL) != CL_SUCCESS)
		return -1;
	return status;
}

/* For a command that is not complete or has failed: it must not have an end stamp. */
static bool has_end(cl_event event)
{
	uint64_t stamp;

	return read_stamp(event, CL_PROFILING_COMMAND_END, &stamp) && stamp;
}

/* Only a complete command has an end stamp, so its status need not be queried. */
static bool read_two(cl_event event, struct record *record)
{
	return read_stamp(event, CL_PROFILING_COMMAND_END, &record->ended) &&
	       read_stamp(event, CL_PROFILING_COMMAND_START, &record->started) &&
	       record->started && record->started <= record->ended;
}

static enum stamps read_all(cl_event event, struct record *record)
{
	if (!read_stamp(event, CL_PROFILING_COMMAND_QUEUED, &record->queued) ||
	    !read_stamp(event, CL_PROFILING_COMMAND_SUBMIT, &record->submitted) ||
	    !read_stamp(event, CL_PROFILING_COMMAND_START, &record->started) ||
	    !read_stamp(event, CL_PROFILING_COMMAND_END, &record->ended))
		return STAMPS_NONE;
	if (!record->queued || record->queued > record->submitted ||
	    record->submitted > record->started || record->started > record->ended)
		return STAMPS_BAD;
	return STAMPS_GOOD;
}

static void forget(struct record *record)
{
	record->queued = record->submitted = record->started = record->ended = 0;
}

enum stamps event_times_read(cl_event event, struct record *record, bool whole)
{
	struct trust *trust = &trusts[record->device];
	bool ask_all = trust->lost || trust->commands < FIRST || trust->commands % SAMPLE == 0;
	enum stamps stamps;
	cl_int status;

	if (!whole && !ask_all && read_two(event, record)) {
		trust->commands++;
		return STAMPS_GOOD;
	}
	forget(record);
	status = ask_status(event);
	if (status != CL_COMPLETE && ask_all && !trust->lost)
		trust->lost = has_end(event);
	if (status > CL_COMPLETE)
		return STAMPS_RUNNING;
	trust->commands++;
	if (status < 0)
		return STAMPS_FAILED;
	stamps = read_all(event, record);
	if (stamps == STAMPS_BAD)
		trust->lost = true;
	if (stamps != STAMPS_GOOD)
		forget(record);
	return stamps;
}

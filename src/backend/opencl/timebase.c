/* SPDX-License-Identifier: MIT */
#include "backend/opencl/timebase.h"

#include <string.h>

#include "backend/opencl/next.h"
#include "base/clock.h"
#include "session/session.h"

/*
 * A command is queued during its call, so the right clock gives a `queued` stamp between enter and
 * leave. If a host clock does, it is used (PoCL: MONOTONIC_RAW). Otherwise the driver's pair of
 * device and host time is used if it passes the same test, else the middle of the call. This is
 * repeated when records do not fit any more.
 *
 * On a machine that has just started, host clocks are close to each other, and several fit a long
 * call. So the first records are compared with all clocks: each counts against the clocks that miss
 * its call.
 */
enum {
	TOLERANCE = 2000000,  /* ns by which the right clock may miss the call */
	REFRESH = 1000000000, /* ns after which clocks, which drift, are compared again */
	VOTES = 64,	      /* records after which all clocks that fit count as equal */
	DEVICES = CATALOG_DEVICES,
};

static const clockid_t clocks[] = {
	CLOCK_MONOTONIC,
	CLOCK_MONOTONIC_RAW,
	CLOCK_REALTIME,
	CLOCK_BOOTTIME,
};
enum { CLOCKS = sizeof(clocks) / sizeof(*clocks) };

enum timebase_kind { TIMEBASE_UNKNOWN, TIMEBASE_HOST_CLOCK, TIMEBASE_TIMER, TIMEBASE_FIXED };

struct timebase {
	enum timebase_kind kind;
	uint64_t missed[CLOCKS]; /* ns, sum over all records that were compared */
	int votes;
	bool doubtful; /* further records must be compared */
	uint64_t checked; /* time of the last check, CLOCK_MONOTONIC ns */
	int64_t to_monotonic; /* ns to add to the device's times */
};

static struct timebase timebases[DEVICES];

/* Returns the distance of `queued` + `offset` from the call; 0 inside it. */
static uint64_t distance(const struct record *record, int64_t offset)
{
	uint64_t queued = record->queued + (uint64_t)offset;

	if ((int64_t)(queued - record->enter) < 0)
		return record->enter - queued;
	if ((int64_t)(queued - record->leave) > 0)
		return queued - record->leave;
	return 0;
}

/* Selects the clock with the least misses; false if all have missed by too much. One record counts
 * for at most TOLERANCE, since a thread may be preempted between two stamps. */
static bool vote(struct timebase *base, const struct record *record)
{
	uint64_t best = UINT64_MAX;
	int fitting = 0;

	for (int i = 0; i < CLOCKS; i++) {
		int64_t offset = clock_offset(CLOCK_MONOTONIC, clocks[i]);
		uint64_t miss = distance(record, offset);

		base->missed[i] += miss < TOLERANCE ? miss : TOLERANCE;
		fitting += base->missed[i] < TOLERANCE;
		if (base->missed[i] >= best)
			continue;
		best = base->missed[i];
		base->to_monotonic = offset;
	}
	base->doubtful = fitting > 1 && ++base->votes < VOTES;
	return fitting > 0;
}

static bool find_host_clock(struct timebase *base, const struct record *record)
{
	base->votes = 0;
	memset(base->missed, 0, sizeof(base->missed));
	if (!vote(base, record))
		return false;
	base->kind = TIMEBASE_HOST_CLOCK;
	return true;
}

static bool ask_timer(const struct opencl_device *device, int64_t *offset)
{
	uint64_t before = clock_monotonic(), after;
	cl_ulong device_time = 0, host_time = 0;

	if (!device || device->version < 210 || !next.clGetDeviceAndHostTimer ||
	    next.clGetDeviceAndHostTimer(device->handle, &device_time, &host_time) != CL_SUCCESS ||
	    !device_time)
		return false;
	after = clock_monotonic();
	*offset = (int64_t)(before + (after - before) / 2 - device_time);
	return true;
}

static bool find_timer(struct timebase *base, const struct opencl_device *device,
		       const struct record *record)
{
	int64_t offset;

	if (!ask_timer(device, &offset) || distance(record, offset) > TOLERANCE)
		return false;
	base->kind = TIMEBASE_TIMER;
	base->to_monotonic = offset;
	return true;
}

static void calibrate(struct timebase *base, const struct opencl_device *device,
		      const struct record *record)
{
	if (find_host_clock(base, record) || find_timer(base, device, record))
		return;
	base->kind = TIMEBASE_FIXED;
	base->to_monotonic =
		(int64_t)(record->enter + (record->leave - record->enter) / 2 - record->queued);
}

static void refresh(struct timebase *base, const struct opencl_device *device,
		    const struct record *record)
{
	if (base->kind == TIMEBASE_HOST_CLOCK) {
		vote(base, record);
		return;
	}
	if (base->kind == TIMEBASE_TIMER)
		ask_timer(device, &base->to_monotonic);
	/* The choice was wrong, or the device's clock has drifted. */
	if (distance(record, base->to_monotonic) > TOLERANCE)
		calibrate(base, device, record);
}

bool timebase_is_due(const struct record *record)
{
	const struct timebase *base = &timebases[record->device];

	return base->kind == TIMEBASE_UNKNOWN || base->doubtful ||
	       (record->leave > base->checked && record->leave - base->checked > REFRESH);
}

void timebase_to_epoch(const struct opencl_device *device, struct record *record)
{
	struct timebase *base = &timebases[record->device];
	uint64_t shift;

	if (record->queued && timebase_is_due(record)) {
		if (base->kind == TIMEBASE_UNKNOWN)
			calibrate(base, device, record);
		else
			refresh(base, device, record);
		base->checked = clock_monotonic();
	}
	shift = (uint64_t)(base->to_monotonic + session_catalog()->process.monotonic_to_epoch);
	if (record->queued) {
		record->queued += shift;
		record->submitted += shift;
	}
	record->started += shift;
	record->ended += shift;
}

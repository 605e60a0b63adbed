/* SPDX-License-Identifier: MIT */
#include "backend/opencl/timebase.h"

#include <string.h>

#include "backend/opencl/functions.h"
#include "base/clock.h"
#include "session/session.h"

/*
 * A command is queued while its call runs, so the right clock is one that puts the `queued` stamp
 * between enter and leave. Where a clock of the host does, it is that one (PoCL: MONOTONIC_RAW).
 * Else the driver's own pair of device and host time is taken if it passes the same test, and else
 * the middle of the call.
 */
enum {
	TOLERANCE = 2000000,  /* ns by which a clock may miss the call and still be it */
	REFRESH = 1000000000, /* ns after which clocks, which drift apart, are compared again */
	DEVICES = CATALOG_DEVICES,
};

enum timebase_kind { TIMEBASE_UNKNOWN, TIMEBASE_HOST_CLOCK, TIMEBASE_TIMER, TIMEBASE_FIXED };

struct timebase {
	enum timebase_kind kind;
	clockid_t clock;
	uint64_t checked; /* CLOCK_MONOTONIC ns */
	int64_t to_monotonic; /* add to the device's times */
};

static struct timebase timebases[DEVICES];

/* By how much `queued`, moved by `offset`, misses the call. */
static uint64_t distance(const struct record *record, int64_t offset)
{
	uint64_t queued = record->queued + (uint64_t)offset;

	if ((int64_t)(queued - record->enter) < 0)
		return record->enter - queued;
	if ((int64_t)(queued - record->leave) > 0)
		return queued - record->leave;
	return 0;
}

static bool find_host_clock(struct timebase *base, const struct record *record)
{
	static const clockid_t clocks[] = {
		CLOCK_MONOTONIC,
		CLOCK_MONOTONIC_RAW,
		CLOCK_REALTIME,
		CLOCK_BOOTTIME,
	};
	uint64_t best = TOLERANCE;

	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		int64_t offset = clock_offset(CLOCK_MONOTONIC, clocks[i]);
		uint64_t miss = distance(record, offset);

		if (miss >= best)
			continue;
		best = miss;
		base->kind = TIMEBASE_HOST_CLOCK;
		base->clock = clocks[i];
		base->to_monotonic = offset;
	}
	return base->kind == TIMEBASE_HOST_CLOCK;
}

static bool ask_timer(const struct opencl_device *device, int64_t *offset)
{
	uint64_t before = clock_monotonic(), after;
	cl_ulong device_time = 0, host_time = 0;

	if (!device || !next.clGetDeviceAndHostTimer ||
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

static void refresh(struct timebase *base, const struct opencl_device *device, uint64_t now)
{
	base->checked = now;
	if (base->kind == TIMEBASE_HOST_CLOCK)
		base->to_monotonic = clock_offset(CLOCK_MONOTONIC, base->clock);
	else if (base->kind == TIMEBASE_TIMER)
		ask_timer(device, &base->to_monotonic);
}

void timebase_to_epoch(const struct opencl_device *device, struct record *record)
{
	struct timebase *base = &timebases[record->device];
	uint64_t now = clock_monotonic(), shift;

	if (base->kind == TIMEBASE_UNKNOWN) {
		calibrate(base, device, record);
		base->checked = now;
	} else if (now - base->checked > REFRESH) {
		refresh(base, device, now);
	}
	shift = (uint64_t)(base->to_monotonic + session_catalog()->process.monotonic_to_epoch);
	record->queued += shift;
	record->submitted += shift;
	record->started += shift;
	record->ended += shift;
}

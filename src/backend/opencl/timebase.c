/* SPDX-License-Identifier: MIT */
#include "backend/opencl/timebase.h"

#include <string.h>

#include "backend/opencl/next.h"
#include "base/clock.h"
#include "session/session.h"

/*
 * A command is queued while its call runs, so the right clock is one that puts the `queued` stamp
 * between enter and leave. Where a clock of the host does, it is that one (PoCL: MONOTONIC_RAW).
 * Else the driver's own pair of device and host time is taken if it passes the same test, and else
 * the middle of the call; and so again when records do not fit any more.
 *
 * On a machine that has just started, clocks of the host are near each other, and in a long call
 * several fit: the first records vote, each against the clocks that miss its call.
 */
enum {
	TOLERANCE = 2000000,  /* ns by which a clock may miss the call and still be it */
	REFRESH = 1000000000, /* ns after which clocks, which drift apart, are compared again */
	VOTES = 64,	      /* records after which clocks that all fit are as good as the same */
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
	uint64_t missed[CLOCKS]; /* ns, over all records that have voted */
	int votes;
	bool doubtful; /* whether further records shall vote */
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

/* Takes the clock that has missed the calls least; false if all have missed them by too much. One
 * record counts for no more than TOLERANCE, since a thread may lose the processor between two
 * stamps. */
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
	/* The guess was wrong, or the device's clock has run away from it. */
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

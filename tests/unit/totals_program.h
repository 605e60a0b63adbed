/* SPDX-License-Identifier: MIT */
#ifndef TESTS_TOTALS_PROGRAM_H
#define TESTS_TOTALS_PROGRAM_H

#include "profiled_program.h"

/* A program with records and events of all kinds, for tests of running totals. */

static inline struct settings *with_totals(const char *trace)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = trace ? strdup(trace) : NULL;
	settings->api_calls = settings->totals = settings->totals_percentiles = true;
	return settings;
}

/* A call of the function with this name; every 16th fails. */
__attribute__((noinline)) static void call_function(uint32_t name, uint64_t serial)
{
	struct probe probe;
	struct call *call;

	probe_begin(&probe);
	call = (void *)probe_event(&probe, FRAME_CALL);
	if (call) {
		call->name = name;
		call->number = (uint32_t)serial;
		call->result = serial % 16 ? 0 : -30;
		probe_commit();
	}
	probe_end(&probe);
}

/* Memory of `serial` bytes at an address, or its release. */
__attribute__((noinline)) static void allocate(uint64_t address, uint64_t serial, bool freed)
{
	struct probe probe;
	struct allocation *allocation;

	probe_begin(&probe);
	allocation = (void *)probe_event(&probe, FRAME_ALLOCATION);
	if (allocation) {
		allocation->address = address;
		allocation->bytes = serial;
		allocation->memory = MEMORY_KIND_DEVICE;
		allocation->frame.flags |= freed ? ALLOCATION_FREED : 0;
		probe_commit();
	}
	probe_end(&probe);
}

__attribute__((noinline)) static void wait_and_mark(uint64_t serial)
{
	struct probe probe;
	struct wait *wait;
	struct mark *mark;

	probe_begin(&probe);
	wait = (void *)probe_event(&probe, FRAME_WAIT);
	if (wait) {
		wait->kind = WAIT_FOR_STREAM;
		probe_commit();
	}
	mark = (void *)probe_event(&probe, FRAME_MARK);
	if (mark) {
		mark->frame.flags |= serial % 2 ? 0 : MARK_START;
		mark->id = serial % 2 ? 0 : mark->frame.correlation;
		probe_commit();
	}
	probe_end(&probe);
}

/* One record and one call, and sometimes other events. Three quarters of the memory are released.
 * */
static inline void work(uint64_t serial, uint32_t stream, uint32_t name, enum fake fake)
{
	launch(stream, serial, fake);
	call_function(name, serial);
	if (serial % 8)
		return;
	allocate(serial + 1, serial, false);
	if (serial % 32)
		allocate(serial + 1, serial, true);
	wait_and_mark(serial / 8);
}

#endif

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/traced.h"

#include <errno.h>

#include "backend/opencl/callscope.h"
#include "backend/opencl/opencl.h"
#include "base/clock.h"
#include "model/event.h"

void *traced_reserve(struct traced_event *traced, enum frame_kind kind, uint64_t enter)
{
	return opencl_is_recording() ? traced_reserve_end(traced, kind, enter) : NULL;
}

void *traced_reserve_end(struct traced_event *traced, enum frame_kind kind, uint64_t enter)
{
	uint64_t leave = clock_monotonic();
	struct call *event;

	traced->error = errno;
	if (callscope_is_drivers())
		return NULL;
	event = (void *)probe_past_event(&traced->probe, kind, enter ? enter : leave, leave);
	if (event) {
		event->api = API_OPENCL;
		return event;
	}
	probe_end(&traced->probe);
	errno = traced->error;
	return NULL;
}

void traced_commit(struct traced_event *traced)
{
	probe_commit();
	probe_end(&traced->probe);
	errno = traced->error;
}

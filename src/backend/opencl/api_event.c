/* SPDX-License-Identifier: MIT */
#include "backend/opencl/api_event.h"

#include <errno.h>

#include "backend/opencl/callwindow.h"
#include "backend/opencl/opencl.h"
#include "base/clock.h"
#include "model/event.h"

void *api_event_reserve(struct api_event_probe *api_event_probe, enum frame_kind kind,
			uint64_t enter)
{
	return opencl_is_recording() ? api_event_reserve_end(api_event_probe, kind, enter) : NULL;
}

void *api_event_reserve_end(struct api_event_probe *api_event_probe, enum frame_kind kind,
			    uint64_t enter)
{
	uint64_t leave = clock_monotonic();
	struct call *event;

	api_event_probe->error = errno;
	if (callwindow_is_drivers())
		return NULL;
	probe_begin(&api_event_probe->probe);
	event = (void *)probe_event(&api_event_probe->probe, kind);
	if (event) {
		event->enter = enter ? enter : leave;
		event->leave = leave;
		event->api = API_OPENCL;
		return event;
	}
	probe_end(&api_event_probe->probe);
	errno = api_event_probe->error;
	return NULL;
}

void api_event_commit(struct api_event_probe *api_event_probe)
{
	probe_commit();
	probe_end(&api_event_probe->probe);
	errno = api_event_probe->error;
}

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/noted.h"

#include <errno.h>

#include "backend/opencl/callwindow.h"
#include "backend/opencl/opencl.h"
#include "base/clock.h"
#include "model/event.h"

void *noted_event(struct noting *noting, enum frame_kind kind, uint64_t enter)
{
	return opencl_is_recording() ? noted_end(noting, kind, enter) : NULL;
}

void *noted_end(struct noting *noting, enum frame_kind kind, uint64_t enter)
{
	uint64_t leave = clock_monotonic();
	struct call *event;

	noting->error = errno;
	if (callwindow_is_drivers())
		return NULL;
	probe_begin(&noting->probe);
	event = (void *)probe_event(&noting->probe, kind);
	if (event) {
		event->enter = enter ? enter : leave;
		event->leave = leave;
		event->api = API_OPENCL;
		return event;
	}
	probe_end(&noting->probe);
	errno = noting->error;
	return NULL;
}

void noted_commit(struct noting *noting)
{
	probe_commit();
	probe_end(&noting->probe);
	errno = noting->error;
}

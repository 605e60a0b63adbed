/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_API_EVENT_H
#define BACKEND_OPENCL_API_EVENT_H

#include "backend/opencl/cl.h"
#include "session/probe.h"

/*
 * Events (model/event.h) other than calls, made if settings->api_calls is set: the called_*
 * functions of apicalls.c call the traced_* functions here, on the program's threads.
 */
struct api_event_probe {
	struct probe probe;
	int error;
};

/* Returns a slot for an event of this kind; the caller fills it in and commits it. frame, api and
 * the time, from `enter` (0: unknown) to now, are set and the rest is zero. NULL if the event is
 * not recorded; then nothing is committed. No code in between may block or call back. */
void *api_event_reserve(struct api_event_probe *api_event_probe, enum frame_kind kind,
			uint64_t enter);
/* As api_event_reserve, for the end of an object whose start is in the trace: also while recording
 * is off. */
void *api_event_reserve_end(struct api_event_probe *api_event_probe, enum frame_kind kind,
			    uint64_t enter);
void api_event_commit(struct api_event_probe *api_event_probe);

#define DECLARE_PLAIN(name)
#define DECLARE_EVENT(name) __typeof__(name) traced_##name;
#define ENTRY(way, event, result, name, ...) DECLARE_##event(name)
#include "backend/opencl/functions.def"
#undef DECLARE_PLAIN
#undef DECLARE_EVENT

#endif

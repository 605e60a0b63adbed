/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_TRACED_H
#define BACKEND_OPENCL_TRACED_H

#include "backend/opencl/cl.h"
#include "session/probe.h"

/*
 * Events (model/event.h) other than calls, made if settings->api_calls is set: the called_*
 * functions of apicalls.c call the traced_* functions here, on the program's threads.
 */
struct traced_event {
	struct probe probe;
	int error; /* errno of the program */
};

/* Returns a slot for an event of this kind; the caller fills it in and commits it. frame, api and
 * the time, from `enter` (0: unknown) to now, are set and the rest is zero. NULL if the event is
 * not recorded; then nothing is committed. No code in between may block or call back. */
void *traced_reserve(struct traced_event *traced, enum frame_kind kind, uint64_t enter);
/* As traced_reserve, for the end of an object whose start is in the trace: also while recording
 * is off. */
void *traced_reserve_end(struct traced_event *traced, enum frame_kind kind, uint64_t enter);
void traced_commit(struct traced_event *traced);

#define DECLARE_PLAIN(name)
#define DECLARE_USES(name)
#define DECLARE_COMMAND(name)
#define DECLARE_EVENT(name) __typeof__(name) traced_##name;
#define ENTRY(way, event, result, name, ...) DECLARE_##event(name)
#include "backend/opencl/functions.def"
#undef DECLARE_PLAIN
#undef DECLARE_USES
#undef DECLARE_COMMAND
#undef DECLARE_EVENT

#endif

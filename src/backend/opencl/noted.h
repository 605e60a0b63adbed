/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_NOTED_H
#define BACKEND_OPENCL_NOTED_H

#include "backend/opencl/cl.h"
#include "session/probe.h"

/*
 * Events (model/event.h) other than calls, made if settings->api_calls is set: the called_*
 * functions of apicalls.c call the noted_* functions here, on the program's threads.
 */
struct noting {
	struct probe probe;
	int error;
};

/* Returns a slot for an event of this kind; the caller fills it in and commits it. frame, api and
 * the time, from `enter` (0: unknown) to now, are set and the rest is zero. NULL if the event is
 * not recorded; then nothing is committed. No code in between may block or call back. */
void *noted_event(struct noting *noting, enum frame_kind kind, uint64_t enter);
/* As noted_event, for the end of an object whose start is in the trace: also while recording is
 * off. */
void *noted_end(struct noting *noting, enum frame_kind kind, uint64_t enter);
void noted_commit(struct noting *noting);

#define DECLARE_PLAIN(name)
#define DECLARE_EVENT(name) __typeof__(name) noted_##name;
#define ENTRY(way, event, result, name, ...) DECLARE_##event(name)
#include "backend/opencl/functions.def"
#undef DECLARE_PLAIN
#undef DECLARE_EVENT

#endif

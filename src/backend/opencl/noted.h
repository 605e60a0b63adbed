/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_NOTED_H
#define BACKEND_OPENCL_NOTED_H

#include "backend/opencl/cl.h"
#include "session/probe.h"

/*
 * Events (model/event.h) besides the calls, where settings->api_calls holds: the called_* functions
 * of apicalls.c go through the noted_* functions here, on the program's threads.
 */
struct noting {
	struct probe probe;
	int error;
};

/* A slot for an event of this kind, to be filled in and then committed: frame, api, and its time,
 * which is from `enter` (0: that is not known) to now, are there and the rest is zero. NULL where
 * none is to be recorded; then nothing is to be committed. Nothing that may block or call back
 * stands in between. */
void *noted_event(struct noting *noting, enum frame_kind kind, uint64_t enter);
/* The same of the end of something whose beginning is in the trace: also while recording is off. */
void *noted_end(struct noting *noting, enum frame_kind kind, uint64_t enter);
void noted_commit(struct noting *noting);

#define DECLARE_PLAIN(name)
#define DECLARE_EVENT(name) __typeof__(name) noted_##name;
#define ENTRY(way, event, result, name, ...) DECLARE_##event(name)
#include "backend/opencl/functions.def"
#undef DECLARE_PLAIN
#undef DECLARE_EVENT

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_PROBE_H
#define SESSION_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"

/*
 * The prologue and epilogue of every recorded call, in the program's thread:
 *
 *	struct probe probe;
 *	probe_begin(&probe);
 *	... the driver's own call ...
 *	record = probe_record(&probe, FRAME_COPY);
 *	if (record) { fill in; probe_commit(); }
 *	probe_end(&probe);
 *
 * The record is a slot of this thread's ring, with its header, enter and leave set and the rest
 * zero. So is an event (probe_event), whose slot has the size of its kind. Between probe_record or
 * probe_event and probe_commit there must be no code that blocks or calls back. No lock is taken
 * and nothing is allocated, except at a thread's first record. A probe inside another one (a driver
 * that calls itself, a signal handler) is marked `nested`: its caller decides. errno is not
 * changed.
 */
struct probe {
	uint64_t enter;    /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t previous; /* `open` of the thread's ring before, 0 if this probe set it */
	const struct probe *outer; /* the probe around this one, or NULL */
	bool nested;
};

void probe_begin(struct probe *probe);
struct record *probe_record(struct probe *probe, enum frame_kind kind);
struct timed *probe_event(struct probe *probe, enum frame_kind kind);
void probe_commit(void);
void probe_end(struct probe *probe);

/* In place of probe_begin and probe_event, for an event with these times, CLOCK_MONOTONIC ns: the
 * clock is not read. */
struct timed *probe_past_event(struct probe *probe, enum frame_kind kind, uint64_t enter,
			       uint64_t leave);

/*
 * A call by the program that becomes an event (struct call):
 *
 *	probe_call_begin(&call);
 *	... the call, in which probes make records ...
 *	probe_call_end(&call);
 *	probe_call_event(&call, api, name, result);
 *
 * If the call begins a probe before all else that takes time, probe_command_begin is used instead:
 * then the clock is read once at the beginning of both, and once at their end. probe_announce_none
 * is called if something takes time before that probe; otherwise it does nothing. No lock is taken
 * and nothing is allocated, except at a thread's first record. errno is not changed.
 */
struct probe_call {
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t newest; /* probe_last_correlation before the call */
};

void probe_call_begin(struct probe_call *call);
void probe_command_begin(struct probe_call *call);
void probe_announce_none(void);
void probe_call_end(struct probe_call *call);
void probe_call_event(const struct probe_call *call, enum api api, uint32_t name, int32_t result);

/* The correlation of this thread's latest record (not event); compared before and after a call, it
 * shows which records the call made. */
uint64_t probe_last_correlation(void);

#endif

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

/* The correlation of this thread's latest record (not event); compared before and after a call, it
 * shows which records the call made. */
uint64_t probe_last_correlation(void);

#endif

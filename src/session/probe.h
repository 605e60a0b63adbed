/* SPDX-License-Identifier: MIT */
#ifndef SESSION_PROBE_H
#define SESSION_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"

/*
 * The prologue and epilogue that every recorded call shares, on the application's thread:
 *
 *	struct probe probe;
 *	probe_begin(&probe);
 *	... the driver's own call ...
 *	record = probe_record(&probe, FRAME_COPY);
 *	if (record) { fill in; probe_commit(); }
 *	probe_end(&probe);
 *
 * The record is a slot of this thread's ring, with its header, enter and leave filled in and the
 * rest zero. So is an event (probe_event), whose slot has the size of its kind. Nothing that may
 * block or call back stands between probe_record or probe_event and probe_commit. No lock is taken
 * and nothing is allocated, except at a thread's first record. A probe inside another one (a driver
 * that calls itself, a signal handler) is marked `nested`: its caller decides. errno stays as it
 * was.
 */
struct probe {
	uint64_t enter;    /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t previous; /* what the thread's ring had open, 0 if this probe opened it */
	const struct probe *outer; /* the probe around this one, or NULL */
	bool nested;
};

void probe_begin(struct probe *probe);
struct record *probe_record(struct probe *probe, enum frame_kind kind);
struct timed *probe_event(struct probe *probe, enum frame_kind kind);
void probe_commit(void);
void probe_end(struct probe *probe);

/* Changes when this thread makes a record (no event), and is then its correlation; before a call
 * and behind it this tells what the call has made. */
uint64_t probe_newest(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/catalog.h"
#include "model/event.h"
#include "settings/settings.h"

/*
 * The way from a probe to the outputs. A back end attaches, registers its devices, contexts and
 * names, and makes records through session/probe.h. No file is made before the first record.
 */

/* The records that back ends deliver. */
enum collecting {
	COLLECT_COMPLETE, /* those with both halves, or with one after a timeout */
	COLLECT_ALL,	  /* also those that wait for the other half */
	COLLECT_LAST,	  /* as COLLECT_ALL, for the last time: later ones are lost */
};

/*
 * The callbacks for records, or for their device halves. Called on the writer or on a thread that
 * helps it, one call at a time, except for flush. Unused callbacks are NULL.
 *
 * A back end whose records are made by probes has poll and release. One that gets finished records
 * from the vendor's library has fetch, collect, horizon and waiting.
 */
struct source {
	/* Returns 1 if the command is complete: its times (if valid) and flags are in the
	 * record, and the handle is released. Returns 0 if it still runs: only the handle may
	 * have changed. */
	int (*poll)(struct record *record);
	/* Releases the handle of a command that is not waited for any more. */
	void (*release)(struct record *record);
	/* The process is about to exit: submits enqueued commands to the device. Called on any
	 * thread, which waits for a limited time after it. */
	void (*flush)(void);
	/* Returns true if threads of this process may work on commands (a compiler, or the device
	 * is a processor): their CPU time is progress. */
	bool (*works_here)(void);
	/* Returns true if such threads have compiled a kernel: then the compiler's exit handlers
	 * are registered. */
	bool (*has_compiled)(void);
	/* Called in each round: may request records from the vendor's library. */
	void (*fetch)(void);
	/* Called in each round: delivers the available records with session_take and returns their
	 * number. Requests nothing. */
	uint64_t (*collect)(enum collecting how);
	/* Called right after collect. Returns a time: calls of records that are collected later
	 * were not entered before it (CLOCK_MONOTONIC ns). */
	uint64_t (*horizon)(void);
	/* Called after collect, if the settings have metrics logs: no later event of a thread is
	 * expected to have been entered before this time (CLOCK_MONOTONIC ns). */
	uint64_t (*event_horizon)(void);
	/* Returns true if records that existed at the last flush may still be collected. */
	bool (*waiting)(void);
	/* Called by session_change when these settings are in force and no records are in progress.
	 * The back end may report the counters in use. */
	void (*changed)(const struct settings *settings);
	/* Called in a forked child, which has no session yet. */
	void (*forked)(void);
};

/* The caller owns settings and source, which must outlive the process. Returns 0, or -1 without
 * memory. */
int session_attach(enum api api, const struct settings *settings, const struct source *source);

/* Attaches an API for marks, which belong to no back end. If the API's own back end attaches later,
 * these settings stay in use: both come from the same environment. Returns 0 or -1. */
int session_attach_marks(enum api api, const struct settings *settings);

/* Attaches a source that belongs to no API, with fetch, collect and forked. It delivers events
 * only, to the trace of an API that is attached. The struct must outlive the process. */
void session_attach_sampler(const struct source *source);

/* The program has changed the settings: earlier records go to the old logs, later ones to new logs.
 * Waits for the drain lock. Returns 0; or -1, and the earlier settings stay in force. */
int session_change(enum api api, const struct settings *settings, const struct source *source);

/* The configuration file of `settings` cannot be used: writes a log with the reason, once per
 * process. Nothing else is recorded for that API. */
void session_refuse(const struct settings *settings);

/* Return ids for records; UINT32_MAX if the table is full, 0 for a name without room. The structs
 * are copied. Names without room are counted and reported at the end. */
uint32_t session_device(const struct device *device);
uint32_t session_context(const struct context *context);
uint32_t session_name(const char *text, size_t length);

/* Returns the text of a name id, which stays valid; "" for 0. */
const char *session_name_text(uint32_t id);

/* As session_name, for texts other than names of kernels and functions. They have a limit of their
 * own. For a text that does not fit, returns the id of a text that says so. */
uint32_t session_text(const char *text, size_t length);

/* As session_name, for the contents of a command buffer; 0 if it does not fit. */
uint32_t session_contents(const char *text, size_t length);

/* From now on records of the set's device have values for its columns, and new logs of the device
 * have these columns; refused counters are listed at their start. Sets the id and copies the rest.
 * Returns 0; or -1 if the set cannot be stored, and records must have no values. */
int session_counters(const struct counter_set *set);

/* Called in collect: takes a record that is complete except for size and correlation, which are set
 * here. Records of the same `enter` are written in the order of these calls. `values` has the
 * `count` values of the device's newest counter set (NAN for a missing one); they are dropped if
 * the set has another number of values. */
void session_take(struct record *record, const double *values, uint32_t count);

/* Called in collect: takes an event (model/event.h); its kind and all members after the frame are
 * set, and the correlation is set here. */
void session_take_event(struct frame *event);

/* As session_take_event, for a call that was not recorded as others are: it is in the metrics logs
 * only. */
void session_count_call(const struct call *call);

/* Called in collect: returns the correlation of the last record taken by session_take. The next one
 * is greater by one. */
uint64_t session_last_correlation(void);

/* The program starts a range: all later calls are events, for a trace that begins at the first
 * range (settings->trace_from_ranges). */
void session_need_calls(void);

/* Called in poll: returns true if the API's records are written into a trace, which may begin at
 * the first range. */
bool session_writes_trace(enum api api);

/* Starts the writer for records that `collect` will deliver. Takes the lock of the catalog. */
void session_expect(void);

/* Counts records that were made but cannot be delivered. Takes no lock. */
void session_lost(uint64_t count);

/* Called in collect: counts events that could not be made. */
void session_lost_events(uint64_t count);

/* Notes a gap: work of a device was recorded, but some later work before now was not. So the idle
 * time of the device is not known. */
void session_gap(void);

/* Counts a kernel that the filter of the settings excludes from the records, as a gap. */
void session_filtered(void);

/* Subtracts records that session_lost has counted, but that were delivered later. */
void session_not_lost(uint64_t count);

/* Records an overhead (struct overhead) of the program or this thread, if calls are recorded.
 * `begun` is the result of session_overhead_begin, 0 if calls are not recorded. The overhead lasts
 * until now; `count` is the number of objects made or read, 0 if unknown. Takes no lock. */
uint64_t session_overhead_begin(void);
void session_overhead(enum overhead_kind kind, uint64_t begun, uint64_t count);

/* Returns the catalog, for look-ups of devices and contexts. */
const struct catalog *session_catalog(void);

/* Writes finished records to the logs now, then calls `look` for each pending record with `drain`
 * held: for example, to check whether a record still holds the command's event. */
void session_write_ended(void (*look)(const struct record *pending, void *argument),
			 void *argument);

/* Tells the writer that the program has just waited for the device, so times are available. Cheap.
 * The writer runs a round soon, so that a kill loses the times of few commands. */
void session_nudge(void);

/* Call when a driver has compiled a kernel in this process: its compiler has registered exit
 * handlers. The first call registers one more, which waits for commands before these are called:
 * exit handlers that the program registers from now on may launch. */
void session_watch_compiler(void);

/*
 * The ends of a process. All may be called several times, in any process, with or without a
 * session.
 *   session_flush  writes all launched records to the logs; waits for running commands for a
 *                  limited time
 *   session_before_exit  exit begins: a flush, before the exit handlers of the driver's compiler,
 *                  which may still work on commands. Some of them are called before session_stop.
 *                  If a driver works in this process, launches of other threads are delayed from
 *                  now on (launch_delay.h)
 *   session_stop   at exit: a flush; the writer makes no more rounds. Later exit handlers of the
 *                  program are still recorded
 *   session_exec   before an exec: as session_stop; then running commands are written without
 *                  times. The log's time tells the next program, which uses another file, that the
 *                  log is of this run. session_exec_failed reverts it. Both do nothing unless
 *                  session_is_there
 *   session_leave  session_stop and session_end for a process that ends right after, perhaps in a
 *                  signal handler that has interrupted the driver: calls no driver function on
 *                  this thread
 *   session_end    the last moment: writes everything without calling the driver, which may be
 *                  unloaded; reports losses and removes the ring file
 *   session_end_last  the same, if nothing else of the process is called any more
 * session_exec and session_leave may be called when the allocator was interrupted: they never make
 * a session.
 * `end` of session_end_at_exit, called before any session_attach, is registered there as an exit
 * handler: it runs before the destructors of all libraries, after the handlers of the program that
 * are registered later.
 */
void session_flush(void);
void session_before_exit(void);
void session_stop(void);
bool session_is_there(void);
void session_exec(void);
void session_exec_failed(void);
void session_leave(void);
void session_end(void);
void session_end_last(void);
void session_end_at_exit(void (*end)(void));

#endif

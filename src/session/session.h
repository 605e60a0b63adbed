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
 * From a probe to the outputs. A back end attaches itself, registers the devices, contexts and
 * names it meets, and then makes records through session/probe.h. Nothing is created on disk
 * before the first record.
 */

/* What back ends hand on. */
enum collecting {
	COLLECT_COMPLETE, /* what has both halves, or has waited long enough for one */
	COLLECT_ALL,	  /* what waits for another half goes without */
	COLLECT_LAST,	  /* and so it does for good: what has not come by now is lost */
};

/*
 * Where records, or the device halves of records, come from. Called on the writer thread or on a
 * thread that helps it, one call at a time; but for flush. What a back end has no use for is NULL.
 *
 * A back end whose records are made by probes has poll and release. One to which the vendor's
 * library hands finished records has fetch, collect, horizon and waiting.
 */
struct source {
	/* 1: the command is over, its times (if good) and flags are in the record and the handle
	 * is released; 0: it still runs, nothing but the handle may have changed. */
	int (*poll)(struct record *record);
	/* Gives up on a command that will not be waited for: releases the handle only. */
	void (*release)(struct record *record);
	/* Somebody is about to leave: make the device start what was enqueued. Called on any
	 * thread; who leaves waits a bounded time after it. */
	void (*flush)(void);
	/* In each round: may ask the vendor's library for what it has. */
	void (*fetch)(void);
	/* In each round: hands on what has come, by session_take, and says how many that were. Asks
	 * nobody. */
	uint64_t (*collect)(enum collecting how);
	/* Right after it: nothing entered before this (CLOCK_MONOTONIC ns) will be collected. */
	uint64_t (*horizon)(void);
	/* Whether something that was there when flush was called may still be collected. */
	bool (*waiting)(void);
	/* These settings hold from here on (session_change), and nothing is on its way: the moment
	 * to say what is counted now. */
	void (*changed)(const struct settings *settings);
};

/* Settings and source stay the caller's and must outlive the process. 0, or -1 without memory. */
int session_attach(enum api api, const struct settings *settings, const struct source *source);

/* For marks, which belong to no back end that makes records: the API's own, if it attaches itself
 * later, goes on with these settings, which were read from the same place. 0, or -1. */
int session_attach_marks(enum api api, const struct settings *settings);

/* The program itself wants other settings from here on: what was recorded so far goes into the old
 * logs, what comes into others. Waits for the drain lock. 0; or -1, and the settings of before
 * stay in force. */
int session_change(enum api api, const struct settings *settings, const struct source *source);

/* The configuration file of `settings` cannot be used: writes the log that says so, once per
 * process. Nothing else is recorded for that API. */
void session_refuse(const struct settings *settings);

/* Ids for records; UINT32_MAX when the table is full, 0 for a name without room. The structs are
 * copied. Names without room are counted, and said at the end. */
uint32_t session_device(const struct device *device);
uint32_t session_context(const struct context *context);
uint32_t session_name(const char *text, size_t length);

/* The text of such a name, which stays; "" for 0. */
const char *session_name_text(uint32_t id);

/* The same of what is no kernel or function, and may be anything. Such texts have room of their
 * own; one that does not fit gets the id of a text that says so. */
uint32_t session_text(const char *text, size_t length);

/* The same of what a command buffer contains; 0 where there is no room. */
uint32_t session_contents(const char *text, size_t length);

/* From now on records of the set's device have values for its columns, and new logs of the device
 * have these columns; what is refused is told at the top of them. The id is filled in, and the rest
 * copied. 0; or -1 where that cannot be told, and they shall have none. */
int session_counters(const struct counter_set *set);

/* From collect: a record that is complete but for size and correlation, which are filled in here.
 * Records of the same `enter` are written in the order of these calls. `values` are those of the
 * device's newest counters, `count` of them (NAN where one could not be had); fewer or more than
 * that are none. */
void session_take(struct record *record, const double *values, uint32_t count);

/* From collect: an event (model/event.h) with its kind and all that follows the frame; correlation
 * is filled in. */
void session_take_event(struct frame *event);

/* From collect: the correlation of the newest record that was taken so. The next one's is greater
 * by one. */
uint64_t session_last_correlation(void);

/* There will be something to collect: from the first of these calls on there is a writer. Takes
 * the lock of the catalog. */
void session_expect(void);

/* So many records were made and will never come. Takes no lock. */
void session_lost(uint64_t count);

/* So many of these have come after all. */
void session_found(uint64_t count);

/* The program, or this thread of it, was held up for our sake: struct overhead, where calls are
 * recorded. `begun` is what session_overhead_begin gave, 0 where they are not; it lasted until now,
 * and `count` is of what was made or read, 0 if that cannot be said. Takes no lock. */
uint64_t session_overhead_begin(void);
void session_overhead(enum overhead_kind kind, uint64_t begun, uint64_t count);

/* The catalog, to look devices and contexts up. */
const struct catalog *session_catalog(void);

/* Brings what is finished into the logs now and runs `look` while nothing moves; for questions
 * like "does the profiler still hold this event?". */
void session_settle(void (*look)(const struct record *pending, void *argument), void *argument);

/* The program has just waited for the device: there is something to read now. Cheap; the writer
 * looks soon, so that a sudden death costs few gputimes. */
void session_nudge(void);

/*
 * Ways out. All may be called several times, in any process, with or without a session.
 *   session_flush  brings everything that was launched into the logs, waiting a bounded time for
 *                  running commands
 *   session_stop   at exit: a flush, and the writer makes no more rounds; what the program's later
 *                  exit handlers do is still recorded
 *   session_exec   before this process becomes another program: as session_stop, and what still
 *                  runs after that is written without times; the log's time tells the other
 *                  program, which takes a file of its own, that it is of this run.
 *                  session_exec_failed if this one goes on instead. Both are nothing where
 *                  session_is_there says that nothing was recorded in this very process
 *   session_leave  both at once, for a process that ends right after, perhaps in a signal handler
 *                  that has interrupted the driver: calls nothing of the driver's in this thread
 *   session_end    the last moment: everything out without asking the driver, which may be gone;
 *                  losses are said, the spool is removed
 * session_exec and session_leave may be called where the allocator was interrupted: they never
 * begin a session.
 */
void session_flush(void);
void session_stop(void);
bool session_is_there(void);
void session_exec(void);
void session_exec_failed(void);
void session_leave(void);
void session_end(void);

#endif

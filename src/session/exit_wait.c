/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/clock.h"
#include "session/collect.h"
#include "session/flush.h"
#include "session/launch_delay.h"
#include "session/shutdown.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/writer.h"

/*
 * The waits of an exit for running commands, in their order: before any exit handler, before those
 * of a compiler that works in this process, and in an exit handler of ours.
 */
enum {
	WAITS = 5,    /* for commands, while other threads go on launching */
	LAUNCH = 500, /* ms that a launch in another thread is waited for */
};

/* Returns a number, not 0, that is the same only if no thread has made a record meanwhile. */
static uint64_t rings_recorded(const struct session *session)
{
	uint64_t sum = 1;

	for (uint32_t i = 0; i < atomic_load(&session->ring_count); i++)
		sum += atomic_load(&atomic_load(&session->rings[i])->ring.head);
	return sum;
}

/* Returns true if another thread is in a call that makes a record. */
static bool is_launching(const struct session *session)
{
	const struct thread_ring *own = thread_self()->rings[0];

	for (uint32_t i = 0; i < atomic_load(&session->ring_count); i++) {
		const struct thread_ring *ring = atomic_load(&session->rings[i]);

		if (ring != own && atomic_load(&ring->ring.open))
			return true;
	}
	return false;
}

/* A launch that has begun before launches were delayed. */
static void await_launches(const struct session *session)
{
	uint64_t begun = clock_monotonic();

	do /* at least once: a thread may be right before its launch */
		clock_pause();
	while (is_launching(session) && clock_monotonic() - begun < LAUNCH * 1000000ull);
}

/* Writes out until no other thread has launched meanwhile. Returns rings_recorded() before that. */
static uint64_t write_out_all(struct session *session)
{
	uint64_t recorded;
	int waits = 0;

	do {
		launch_delay_begin();
		await_launches(session);
		recorded = rings_recorded(session);
		session_write_out(session);
	} while (rings_recorded(session) != recorded && ++waits < WAITS);
	launch_delay_begin(); /* for the exit handlers */
	return recorded;
}

/* Before exit handlers are called. If no record was made since the last call, nothing is done. */
static void settle(struct session *session)
{
	uint64_t recorded = rings_recorded(session), none = 0;

	if (session->settled == recorded)
		return;
	atomic_compare_exchange_strong(&session->exit_begun, &none, clock_monotonic());
	if (flush_works_here())
		recorded = write_out_all(session);
	else
		session_write_out(session);
	if (atomic_load(&session->leaving) == LEAVING_WRITTEN && !collect_is_used() &&
	    session->given_up < session->exit_begun)
		session->settled = recorded;
}

/* The compiler's exit handlers are called next. Commands that come later are not waited for: their
 * driver compiles, and would crash. */
static void before_compiler_ends(void)
{
	struct session *session = session_current();

	if (!session || thread_self()->draining)
		return;
	settle(session);
	atomic_store(&session->compiler_ends, true);
}

void session_watch_compiler(void)
{
	static atomic_bool watched;

	if (!atomic_load_explicit(&watched, memory_order_relaxed) &&
	    !atomic_exchange(&watched, true))
		atexit(before_compiler_ends);
}

void session_before_exit(void)
{
	struct session *session = session_current();

	if (!session || thread_self()->draining)
		return;
	settle(session);
	/* The program has not waited for its first kernel. */
	if (flush_has_compiled())
		session_watch_compiler();
}

void session_stop(void)
{
	struct session *session = session_at_end();
	uint64_t none = 0;

	if (!session)
		return;
	if (collect_is_used() ||
	    (session->settled != rings_recorded(session) && !atomic_load(&session->compiler_ends)))
		session_write_out(session);
	if (thread_self()->draining)
		return;
	atomic_compare_exchange_strong(&session->logs.exiting, &none, clock_monotonic());
	writer_park(session);
}

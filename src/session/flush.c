/* SPDX-License-Identifier: MIT */
#include "session/flush.h"

#include <time.h>

#include "base/clock.h"
#include "session/collect.h"
#include "session/locks.h"
#include "session/overhead.h"
#include "session/round.h"
#include "session/session.h"
#include "session/state.h"

/* Running commands are waited for as long as they make progress, for a limited time. */
enum {
	STALLED = 1000,	  /* ms without progress after which running commands are given up */
	IDLE = 10,	  /* number of rounds without progress that are also required, since the
			     process may have been stopped */
	PATIENCE = 10000, /* ms after which running commands are given up in any case */
	WORK = 100000000, /* ns of CPU time that are progress of a device in this process: more
			   * than waiting takes in a second */
};

/* Returns true if all records launched before `moment` are in the logs. */
static bool are_written(struct session *session, uint64_t moment)
{
	if (collect_is_waiting())
		return false;
	for (uint32_t i = 0; i < atomic_load(&session->ring_count); i++) {
		const struct record *record = ring_peek(&atomic_load(&session->rings[i])->ring);

		if (record && record->enter < moment)
			return false;
	}
	for (uint32_t i = 0; i < session->logs.count; i++) {
		uint32_t first = session->logs.files[i].order.first;

		if (first && pending_record(&session->pending, first)->enter < moment)
			return false;
	}
	return true;
}

static bool works_here(const struct source *source)
{
	return source->works_here && source->works_here();
}

static bool has_compiled(const struct source *source)
{
	return source->has_compiled && source->has_compiled();
}

static bool is_any(bool (*is)(const struct source *source))
{
	for (int api = 0; api < API_COUNT; api++) {
		const struct source *source = state_source(api);

		if (source && is(source))
			return true;
	}
	return false;
}

bool flush_works_here(void)
{
	return is_any(works_here);
}

bool flush_has_compiled(void)
{
	return is_any(has_compiled);
}

/* If its compiler ends, a driver that works in this process must not begin commands. */
static void flush_sources(bool compiler_ends)
{
	for (int api = 0; api < API_COUNT; api++) {
		const struct source *source = state_source(api);

		if (source && source->flush && !(compiler_ends && works_here(source)))
			source->flush();
	}
}

/* Returns true if the other threads have used CPU time, perhaps for a command: `before` is what it
 * was when they last had. A kernel may be compiled for seconds. */
static bool has_worked(uint64_t *before)
{
	uint64_t now =
		clock_cpu_time(CLOCK_PROCESS_CPUTIME_ID) - clock_cpu_time(CLOCK_THREAD_CPUTIME_ID);

	if (now - *before < WORK)
		return false;
	*before = now;
	return true;
}

/* With the drain lock held: waits for records launched until now, for a limited time; if a compiler
 * ends, only for those that are delivered. Returns the number of records moved. */
static uint64_t wait_for_records(struct session *session, bool compiler_ends)
{
	static const struct timespec pause = {.tv_nsec = 500000};
	uint64_t begin = clock_monotonic(), progress = begin, now = begin;
	uint64_t exit = atomic_load(&session->exit_begun);
	bool is_exit = exit && begin - exit < 2 * PATIENCE * 1000000ull;
	uint64_t since = is_exit ? exit : begin; /* all waits of an exit together have one limit */
	uint64_t stalled = is_exit && session->given_up > exit ? 0 : STALLED * 1000000ull;
	uint64_t all = 0, work = 0;
	bool here = flush_works_here();
	/* Given up before, in this exit: a compiler behind the exit handlers may crash soon. */
	int enough = !stalled && here ? 0 : IDLE;
	int idle = 0; /* rounds without progress; the time alone is not enough, since one round may
			 have waited long for a driver */

	for (;;) {
		uint64_t moved = writer_round(session, false);

		writer_flush_rows(session);
		all += moved;
		now = clock_monotonic();
		/* Records launched by other threads after `begin` are not waited for. */
		if (compiler_ends ? !collect_is_waiting() : are_written(session, begin))
			return all;
		if (session->logs.stalled && !filethread_hurry())
			return all;
		if (moved || (here && has_worked(&work)))
			progress = now;
		idle = moved ? 0 : idle + 1;
		if ((now - progress > stalled && idle > enough) ||
		    now - since > PATIENCE * 1000000ull)
			break;
		nanosleep(&pause, NULL);
	}
	session->given_up = now;
	return all;
}

void session_flush(void)
{
	struct session *session = session_current();
	uint64_t begun = overhead_begin(), moved;
	bool compiler_ends;

	if (!session)
		return;
	compiler_ends = atomic_load(&session->compiler_ends);
	flush_sources(compiler_ends);
	if (!drain_lock())
		return;
	moved = wait_for_records(session, compiler_ends);
	overhead_note(OVERHEAD_FLUSH, overhead_thread(), begun, moved);
	drain_unlock();
}

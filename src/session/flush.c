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

static void flush_sources(void)
{
	for (int api = 0; api < API_COUNT; api++) {
		const struct source *source =
			globals.settings[api]
				? __atomic_load_n(&globals.sources[api], __ATOMIC_ACQUIRE)
				: NULL;

		if (source && source->flush)
			source->flush();
	}
}

bool flush_works_here(void)
{
	bool here = false;

	for (int api = 0; api < API_COUNT; api++)
		here |= globals.sources[api] && globals.sources[api]->works_here &&
			globals.sources[api]->works_here();
	return here;
}

bool flush_has_compiled(void)
{
	bool has = false;

	for (int api = 0; api < API_COUNT; api++)
		has |= globals.sources[api] && globals.sources[api]->has_compiled &&
		       globals.sources[api]->has_compiled();
	return has;
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

/* With the drain lock held: waits for records launched until now, for a limited time. Returns the
 * number of records moved. */
static uint64_t wait_for_records(struct session *session, bool hurry)
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
		if (hurry || are_written(session, begin))
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
	uint64_t begun = overhead_begin();
	bool hurry;

	if (!session)
		return;
	hurry = atomic_load(&session->compiler_ends);
	if (!hurry)
		flush_sources();
	if (!drain_lock())
		return;
	overhead_note(OVERHEAD_FLUSH, overhead_thread(), begun, wait_for_records(session, hurry));
	drain_unlock();
}

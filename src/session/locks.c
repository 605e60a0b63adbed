/* SPDX-License-Identifier: MIT */
#include "session/locks.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sigmask.h"
#include "base/tsan.h"
#include "session/thread.h"

enum {
	PATIENCE = 10,	       /* s */
	STALLED = 1000000000,  /* ns without response after which a driver counts as stalled */
	LOOKS = 100,	       /* checks without progress that are also required, since the
				* process may have been stopped */
	LONG = 4,	       /* factor for calls that may take long */
	FIRST_PAUSE = 50000,   /* ns between checks of the lock, doubled each time, */
	LAST_PAUSE = 5000000,  /* up to this, since hundreds of threads may wait */
	TURN = 4 * LAST_PAUSE, /* ns for which other threads leave the lock to a thread with
				* priority */
};

/* True while a back end is called and does not respond, for example because it waits for a lock of
 * the exiting thread. That thread then revokes the drain lock. */
enum driver_call { NO_DRIVER_CALL, DRIVER_CALL, DRIVER_CALL_STALLED };

static pthread_mutex_t drain = PTHREAD_MUTEX_INITIALIZER;
static bool ignored; /* the thread sanitizer ignores the owner's accesses */
static struct thread_cancel_state drain_cancel; /* the owner's */
static pthread_mutex_t meta = PTHREAD_MUTEX_INITIALIZER;
static struct thread_cancel_state meta_cancel; /* the owner's, */
static sigset_t meta_signals;		       /* and the signals that it had blocked before */
static _Atomic int driver_call;		   /* enum driver_call, of the owner of the drain lock */
static _Atomic uint64_t returned_calls;	   /* number of returned driver calls */
static _Atomic uint64_t moved_records;	   /* number of records taken out of rings, and written */
static _Atomic uint64_t allowed = STALLED; /* ns that the current call may take */
static _Atomic uint64_t turn;	 /* CLOCK_MONOTONIC ns: until then a thread has priority */

struct patience patience_begin(void)
{
	return (struct patience){.begin = clock_monotonic()};
}

bool patience_is_over(const struct patience *patience)
{
	return clock_monotonic() - patience->begin > PATIENCE * 1000000000ull;
}

/* Returns for how many ns `count` has not changed; 0 until LOOKS checks have seen that. */
static uint64_t unchanged_for(struct patience *patience, uint64_t count)
{
	uint64_t now = clock_monotonic();

	if (patience->since && count == patience->progress)
		return ++patience->looks > LOOKS ? now - patience->since : 0;
	patience->progress = count;
	patience->since = now;
	patience->looks = 0;
	return 0;
}

bool patience_is_stalled(struct patience *patience)
{
	return unchanged_for(patience, atomic_load(&returned_calls)) > atomic_load(&allowed);
}

bool patience_is_idle(struct patience *patience)
{
	uint64_t progress = atomic_load(&returned_calls) + atomic_load(&moved_records);

	return unchanged_for(patience, progress) > PATIENCE * UINT64_C(1000000000);
}

bool patience_is_stuck(struct patience *patience)
{
	return patience_is_stalled(patience) && atomic_load(&driver_call) != NO_DRIVER_CALL;
}

/* Renewed at each check, so it expires by itself if the thread does not continue. */
static void request_turn(void)
{
	atomic_store(&turn, clock_monotonic() + TURN);
}

bool drain_is_wanted(void)
{
	uint64_t until = atomic_load(&turn);

	return until && clock_monotonic() < until;
}

static void end_turn(void)
{
	atomic_store(&turn, 0);
}

static void sleep_shortly(struct timespec *pause)
{
	nanosleep(pause, NULL);
	if (pause->tv_nsec < LAST_PAUSE)
		pause->tv_nsec *= 2;
}

/* Called once per record by the owner of the drain lock only, so one locked instruction is enough.
 * It is needed where another thread may revoke the lock. */
void drain_call_begin(void)
{
	atomic_store_explicit(&driver_call, DRIVER_CALL, memory_order_release);
}

void drain_call_begin_long(void)
{
	atomic_store(&allowed, LONG * (uint64_t)STALLED);
	drain_call_begin();
}

void drain_call_end(void)
{
	int expected = DRIVER_CALL;
	uint64_t count = atomic_load_explicit(&returned_calls, memory_order_relaxed);

	atomic_store_explicit(&allowed, STALLED, memory_order_relaxed);
	atomic_store_explicit(&returned_calls, count + 1, memory_order_relaxed);
	if (!atomic_compare_exchange_strong(&driver_call, &expected, NO_DRIVER_CALL))
		for (;;) /* the lock was revoked: another thread has taken this thread's work
			  * over */
			pause();
}

void drain_moved_record(void)
{
	uint64_t count = atomic_load_explicit(&moved_records, memory_order_relaxed);

	atomic_store_explicit(&moved_records, count + 1, memory_order_relaxed);
}

/* The drain lock has just been taken. */
static void has_drain(void)
{
	thread_self()->draining = true;
	ignored = tsan_ignore_begin();
}

/* Signals are blocked: a handler in between would not see that its thread has the lock. */
static bool try_drain(void)
{
	sigset_t before;
	bool taken;

	sigmask_all(&before);
	taken = !pthread_mutex_trylock(&drain);
	if (taken)
		has_drain();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return taken;
}

static bool wait_for_turn(void)
{
	struct timespec pause = {.tv_nsec = FIRST_PAUSE};
	struct patience patience = patience_begin();

	while (!try_drain()) {
		if (patience_is_over(&patience) || patience_is_stuck(&patience))
			return false;
		request_turn();
		sleep_shortly(&pause);
	}
	end_turn();
	return true;
}

static bool wait_for_room(const struct ring *ring)
{
	struct timespec pause = {.tv_nsec = FIRST_PAUSE};
	struct patience patience = patience_begin();

	while (ring_is_half_full(ring) && !patience_is_idle(&patience)) {
		if (!drain_is_wanted() && try_drain())
			return true;
		sleep_shortly(&pause);
	}
	return false;
}

/* With `ring` NULL the thread has priority. */
static bool lock(const struct ring *ring)
{
	struct thread_cancel_state cancel;

	if (thread_self()->draining)
		return false;
	thread_disable_cancel(&cancel);
	if (ring ? wait_for_room(ring) : wait_for_turn()) {
		drain_cancel = cancel;
		return true;
	}
	thread_restore_cancel(&cancel);
	return false;
}

bool drain_lock(void)
{
	return lock(NULL);
}

bool drain_lock_for_room(const struct ring *ring)
{
	return lock(ring);
}

void drain_unlock(void)
{
	struct thread_cancel_state cancel = drain_cancel;
	sigset_t before;

	sigmask_all(&before);
	drain_leave();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	thread_restore_cancel(&cancel);
}

void drain_enter(void)
{
	struct timespec pause = {.tv_nsec = FIRST_PAUSE};

	while (drain_is_wanted())
		sleep_shortly(&pause);
	pthread_mutex_lock(&drain);
	has_drain();
}

void drain_leave(void)
{
	if (ignored)
		tsan_ignore_end();
	thread_self()->draining = false;
	pthread_mutex_unlock(&drain);
}

void drain_keep(void)
{
	if (ignored)
		tsan_ignore_end();
}

bool drain_revoke(void)
{
	struct timespec pause = {.tv_nsec = FIRST_PAUSE};
	struct patience patience = patience_begin();

	if (thread_self()->draining)
		return false;
	while (!try_drain()) {
		int expected = DRIVER_CALL;

		if (patience_is_stalled(&patience) &&
		    atomic_compare_exchange_strong(&driver_call, &expected, DRIVER_CALL_STALLED)) {
			has_drain();
			return true;
		}
		if (patience_is_over(&patience))
			return false;
		request_turn();
		sleep_shortly(&pause);
	}
	return true;
}

void meta_lock(void)
{
	struct thread_cancel_state cancel;
	sigset_t signals;

	/* A signal handler that makes a record could deadlock with its own thread. */
	sigmask_all(&signals);
	thread_disable_cancel(&cancel);
	pthread_mutex_lock(&meta);
	thread_self()->registering = true;
	meta_cancel = cancel;
	meta_signals = signals;
}

void meta_unlock(void)
{
	struct thread_cancel_state cancel = meta_cancel;
	sigset_t signals = meta_signals;

	thread_self()->registering = false;
	pthread_mutex_unlock(&meta);
	thread_restore_cancel(&cancel);
	pthread_sigmask(SIG_SETMASK, &signals, NULL);
}

void locks_forked(void)
{
	pthread_mutex_init(&drain, NULL);
	pthread_mutex_init(&meta, NULL);
	driver_call = NO_DRIVER_CALL;
	turn = 0;
}

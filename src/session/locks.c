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
	PATIENCE = 10,		/* s */
	STALLED = 1000000000,	/* ns without an answer after which a driver will give none, */
	LOOKS = 100,		/* if it was looked for that often: the process may be stopped, */
	LONG = 4,		/* and how many times that where its answer may be long */
	FIRST_PAUSE = 50000,	/* ns between looks whether the lock is free, doubled each time, */
	LAST_PAUSE = 5000000,	/* up to this, since hundreds of threads may look */
	TURN = 4 * LAST_PAUSE,	/* ns for which others stand back for who goes before them */
};

/* Whether a back end is being asked, and does not answer while it waits for a lock, say, that the
 * program's own thread has. Who leaves the process then takes the drain lock's rights away. */
enum asking { ASKING_NOBODY, ASKING_DRIVER, ASKING_IN_VAIN };

static pthread_mutex_t drain = PTHREAD_MUTEX_INITIALIZER;
static bool ignored; /* by the thread sanitizer, what the thread does that has the drain lock */
static pthread_mutex_t meta = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int asking;	 /* enum asking, of who has the drain lock */
static _Atomic uint64_t answers; /* how often a driver has answered */
static _Atomic uint64_t allowed = STALLED; /* ns that the answer may take */
static _Atomic uint64_t turn;	 /* CLOCK_MONOTONIC ns: until then somebody goes before others */

struct patience patience_begin(void)
{
	return (struct patience){.begin = clock_monotonic()};
}

bool patience_is_over(const struct patience *patience)
{
	return clock_monotonic() - patience->begin > PATIENCE * 1000000000ull;
}

bool patience_is_stalled(struct patience *patience)
{
	uint64_t now = clock_monotonic(), count = atomic_load(&answers);

	if (patience->since && count == patience->answers)
		return ++patience->looks > LOOKS &&
		       now - patience->since > atomic_load(&allowed);
	patience->answers = count;
	patience->since = now;
	patience->looks = 0;
	return false;
}

bool patience_is_stuck(struct patience *patience)
{
	return patience_is_stalled(patience) && atomic_load(&asking) != ASKING_NOBODY;
}

/* Said anew at each look: it runs out by itself should the thread never come back. */
static void ask_for_turn(void)
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

static void nap(struct timespec *pause)
{
	nanosleep(pause, NULL);
	if (pause->tv_nsec < LAST_PAUSE)
		pause->tv_nsec *= 2;
}

/* Once for each record: only who has the drain lock comes here, so one locked instruction is
 * enough, and that where another thread may take the lock's rights away. */
void drain_ask(void)
{
	atomic_store_explicit(&asking, ASKING_DRIVER, memory_order_release);
}

void drain_ask_long(void)
{
	atomic_store(&allowed, LONG * (uint64_t)STALLED);
	drain_ask();
}

void drain_answered(void)
{
	int expected = ASKING_DRIVER;
	uint64_t count = atomic_load_explicit(&answers, memory_order_relaxed);

	atomic_store_explicit(&allowed, STALLED, memory_order_relaxed);
	atomic_store_explicit(&answers, count + 1, memory_order_relaxed);
	if (!atomic_compare_exchange_strong(&asking, &expected, ASKING_NOBODY))
		for (;;) /* what this thread stands in the middle of is another's now */
			pause();
}

/* With the drain lock, just taken. */
static void has_drain(void)
{
	thread_self()->draining = true;
	ignored = tsan_ignore_begin();
}

/* A signal handler in between would not know that its own thread has the lock. */
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
		ask_for_turn();
		nap(&pause);
	}
	end_turn();
	return true;
}

static bool wait_for_room(const struct ring *ring)
{
	struct timespec pause = {.tv_nsec = FIRST_PAUSE};
	struct patience patience = patience_begin();

	while (ring_is_half_full(ring) && !patience_is_over(&patience)) {
		if (!drain_is_wanted() && try_drain())
			return true;
		nap(&pause);
	}
	return false;
}

/* With `ring` NULL the thread goes before others. */
static bool lock(const struct ring *ring)
{
	struct thread *self = thread_self();
	struct thread_manners manners;

	if (self->draining)
		return false;
	thread_hold_out(&manners);
	if (ring ? wait_for_room(ring) : wait_for_turn()) {
		self->drain_manners = manners;
		return true;
	}
	thread_be_cancelled(&manners);
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
	struct thread_manners manners = thread_self()->drain_manners;
	sigset_t before;

	sigmask_all(&before);
	drain_leave();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	thread_be_cancelled(&manners);
}

void drain_enter(void)
{
	struct timespec pause = {.tv_nsec = FIRST_PAUSE};

	while (drain_is_wanted())
		nap(&pause);
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

bool drain_lock_for_good(void)
{
	struct timespec pause = {.tv_nsec = FIRST_PAUSE};
	struct patience patience = patience_begin();

	if (thread_self()->draining)
		return false;
	while (!try_drain()) {
		int expected = ASKING_DRIVER;

		if (patience_is_stalled(&patience) &&
		    atomic_compare_exchange_strong(&asking, &expected, ASKING_IN_VAIN)) {
			has_drain();
			return true;
		}
		if (patience_is_over(&patience))
			return false;
		ask_for_turn();
		nap(&pause);
	}
	return true;
}

void meta_lock(void)
{
	struct thread *self = thread_self();
	struct thread_manners manners;
	sigset_t signals;

	/* A signal handler that made a record could wait for its own thread. */
	sigmask_all(&signals);
	thread_hold_out(&manners);
	pthread_mutex_lock(&meta);
	self->registering = true;
	self->meta_manners = manners;
	self->meta_signals = signals;
}

void meta_unlock(void)
{
	struct thread *self = thread_self();
	struct thread_manners manners = self->meta_manners;
	sigset_t signals = self->meta_signals;

	self->registering = false;
	pthread_mutex_unlock(&meta);
	thread_be_cancelled(&manners);
	pthread_sigmask(SIG_SETMASK, &signals, NULL);
}

void locks_forked(void)
{
	pthread_mutex_init(&drain, NULL);
	pthread_mutex_init(&meta, NULL);
	asking = ASKING_NOBODY;
	turn = 0;
}

/* SPDX-License-Identifier: MIT */
#include "session/writer.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sigmask.h"
#include "session/collect.h"
#include "session/eventstream.h"
#include "session/identity.h"
#include "session/locks.h"
#include "session/overhead.h"
#include "session/pflog.h"
#include "session/round.h"
#include "session/shutdown.h"
#include "session/state.h"
#include "session/thread.h"
#include "session/unrecovered.h"

/*
 * The writer, and the program's threads that help it. Each runs rounds (round.c) while it holds the
 * drain lock.
 */
enum {
	PERIOD = 20 * 1000000,	    /* ns between rounds while there is work */
	IDLE_PERIOD = 90 * 1000000, /* and while there is none: rows are out within 100 ms */
	NUDGE = 2 * 1000000,	    /* minimum ns between rounds that are only requested by a
				       nudge */
	FILES_WAITS = 10,	    /* of 10 ms, for the first files of a device */
	IDLE_ROUNDS = 11,	    /* between checks whether the program has other threads */
	STACK = 256 * 1024,	    /* and room for thread-local variables */
};

/* The values of session.wake. */
enum wake { WAKE_NOT, WAKE_SOON, WAKE_NOW };

static void sleep_while(struct session *session, enum wake wake, long nanoseconds)
{
	struct timespec time = {.tv_nsec = nanoseconds};

	if (nanoseconds > 0)
		syscall(SYS_futex, &session->wake, FUTEX_WAIT_PRIVATE, wake, &time, NULL, 0);
}

/* A nudge shortly after a round waits for the rest of NUDGE. */
static void sleep_shortly(struct session *session, long nanoseconds)
{
	uint64_t looked = atomic_load_explicit(&session->looked, memory_order_relaxed);

	sleep_while(session, WAKE_NOT, nanoseconds);
	if (atomic_load(&session->wake) == WAKE_SOON)
		sleep_while(session, WAKE_SOON, NUDGE - (long)(clock_monotonic() - looked));
	atomic_store(&session->wake, WAKE_NOT);
}

static void wake_up(struct session *session)
{
	int error = errno;

	syscall(SYS_futex, &session->wake, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	errno = error;
}

void writer_wake(struct session *session)
{
	if (atomic_exchange(&session->wake, WAKE_NOW) != WAKE_NOW)
		wake_up(session);
}

void writer_wake_again(struct session *session)
{
	if (atomic_load_explicit(&session->wake, memory_order_relaxed) != WAKE_NOW)
		writer_wake(session);
}

void session_nudge(void)
{
	struct session *session = thread_live_session();
	uint32_t asleep = WAKE_NOT;

	/* The owner of the drain lock is checking right now. */
	if (session && !thread_self()->draining &&
	    !atomic_load_explicit(&session->wake, memory_order_relaxed) &&
	    atomic_compare_exchange_strong(&session->wake, &asleep, WAKE_SOON))
		wake_up(session);
}

void writer_await_files(struct session *session, uint32_t device)
{
	static const struct timespec pause = {.tv_nsec = 10000000};
	uint32_t begun, ended;
	int error = errno;

	if (device >= CATALOG_DEVICES || atomic_load(&session->used[device]) ||
	    atomic_exchange(&session->used[device], 1))
		return;
	/* A round that begins from now on takes the record in. */
	begun = atomic_load(&session->begun);
	writer_wake(session);
	for (int waits = 0; waits < FILES_WAITS && atomic_load(&session->writer_alive) &&
			    atomic_load(&session->stopping) == STOPPING_NOT &&
			    !thread_self()->draining;
	     waits++) {
		ended = atomic_load(&session->ended);
		if ((int32_t)(ended - begun) > 0)
			break;
		syscall(SYS_futex, &session->ended, FUTEX_WAIT_PRIVATE, ended, &pause, NULL, 0);
	}
	errno = error;
}

static void end_round(struct session *session)
{
	atomic_fetch_add(&session->ended, 1);
	syscall(SYS_futex, &session->ended, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* Exits as the C library does when the last thread ends. */
static void exit_process(struct session *session)
{
	uint64_t bits = atomic_load(&session->signals);
	sigset_t signals;

	sigemptyset(&signals);
	memcpy(&signals, &bits, sizeof(bits));
	worker_exit_process(&signals);
}

/* Writes everything and exits: the last thread ended by its own system call, without handlers. */
static void leave_process(struct session *session)
{
	session_flush();
	drain_enter();
	session_shutdown(session);
	drain_leave();
	for (;;)
		syscall(SYS_exit_group, identity_main_code());
}

static void write_metrics(struct session *session)
{
	uint64_t horizons[API_COUNT];

	if (!session->pflog)
		return;
	collect_event_horizons(horizons);
	pflog_write(session, horizons);
}

static void *writer_main(void *argument)
{
	struct session *session = argument;
	unsigned idle = 0; /* rounds */
	bool announced = false;

	atomic_store(&session->writer_stage, WRITER_AT_WORK);
	ringfile_move(&session->ringfile);
	while (atomic_load(&session->stopping) == STOPPING_NOT) {
		uint64_t moved, begun;
		bool busy;

		drain_enter();
		atomic_fetch_add(&session->begun, 1);
		begun = overhead_begin();
		moved = atomic_load(&globals.ended) ? 0 : writer_round(session, false);
		overhead_round(session, 0, begun, moved, false);
		write_metrics(session);
		eventstream_write(session);
		busy = moved || session->pending.used || pflog_is_waiting(session) ||
		       eventstream_is_waiting(session);
		atomic_store_explicit(&session->looked, clock_monotonic(), memory_order_relaxed);
		drain_leave();
		end_round(session);
		ringfile_tell_growth(&session->ringfile);
		if (!announced)
			unrecovered_tell(session);
		announced = true;
		if (atomic_load(&session->leaving) == LEAVING_WANTED) {
			session_flush();
			atomic_store(&session->leaving, LEAVING_WRITTEN);
		}
		sleep_shortly(session, busy ? PERIOD : IDLE_PERIOD);
		if (!moved && worker_is_alone())
			exit_process(session);
		idle = moved ? 0 : idle + 1;
		if (idle % IDLE_ROUNDS == IDLE_ROUNDS - 1 && worker_is_left())
			leave_process(session);
	}
	atomic_store(&session->writer_stage, WRITER_PARKED);
	while (atomic_load(&session->stopping) != STOPPING_ALL)
		syscall(SYS_futex, &session->stopping, FUTEX_WAIT_PRIVATE, STOPPING_ROUNDS, NULL,
			NULL, 0);
	drain_enter();
	session_shutdown(session);
	drain_leave();
	atomic_store(&session->writer_stage, WRITER_GONE);
	return NULL;
}

void writer_start(struct session *session)
{
	atomic_store(&session->writer_stage, WRITER_NEWBORN);
	session->writer = (struct worker){.main = writer_main, .argument = session};
	/* Without a writer the program's own threads drain their rings when these are full. */
	if (!worker_start(&session->writer, STACK))
		atomic_store(&session->writer_alive, 1);
}

void writer_start_again(struct session *session)
{
	meta_lock();
	if (!atomic_load(&session->writer_alive) && !atomic_load(&session->stopping))
		writer_start(session);
	meta_unlock();
}

void writer_await(struct session *session)
{
	static const struct timespec pause = {.tv_nsec = 50000};
	struct patience patience = patience_begin();

	while (atomic_load(&session->writer_alive) &&
	       atomic_load(&session->writer_stage) == WRITER_NEWBORN &&
	       !patience_is_stalled(&patience))
		nanosleep(&pause, NULL);
}

/* Waits until the writer reaches `stage`; false if a driver blocks it. The rounds before are of
 * limited length, but may take long on a slow machine. */
static bool reaches(struct session *session, enum writer_stage stage)
{
	static const struct timespec pause = {.tv_nsec = 50000};
	struct patience idle = patience_begin(), stuck = idle;

	writer_wake(session);
	while (atomic_load(&session->writer_stage) < (int)stage) {
		if (patience_is_idle(&idle) || patience_is_stuck(&stuck)) {
			if (atomic_exchange(&session->writer_alive, 0))
				pthread_detach(session->writer.thread);
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}

/* Returns true if there is a writer and this thread is not it. */
static bool has_other_writer(struct session *session)
{
	return atomic_load(&session->writer_alive) &&
	       !pthread_equal(pthread_self(), session->writer.thread);
}

void writer_park(struct session *session)
{
	int expected = STOPPING_NOT;

	atomic_compare_exchange_strong(&session->stopping, &expected, STOPPING_ROUNDS);
	if (has_other_writer(session))
		reaches(session, WRITER_PARKED);
}

bool writer_finish(struct session *session)
{
	atomic_store(&session->stopping, STOPPING_ALL);
	syscall(SYS_futex, &session->stopping, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	/* If flushing timed out, finishing would time out too. */
	return has_other_writer(session) && atomic_load(&session->leaving) != LEAVING_WANTED &&
	       reaches(session, WRITER_GONE);
}

bool writer_flush(struct session *session)
{
	enum { LAST_PAUSE = 400000 }; /* ns; first ones are shorter, since most ends are quick */
	struct timespec pause = {.tv_nsec = LAST_PAUSE / 8};
	struct patience patience = patience_begin();

	if (!has_other_writer(session) || atomic_load(&session->stopping) != STOPPING_NOT)
		return false;
	atomic_store(&session->leaving, LEAVING_WANTED);
	while (atomic_load(&session->leaving) != LEAVING_WRITTEN && !patience_is_over(&patience) &&
	       !patience_is_stalled(&patience)) {
		writer_wake(session);
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < LAST_PAUSE)
			pause.tv_nsec *= 2;
	}
	return true;
}

bool writer_make_room(struct session *session, const struct ring *ring)
{
	uint64_t begun = overhead_begin();
	sigset_t before;
	bool ended;

	/* The owner of the lock may wait for a file, so this thread does not wait for the lock. */
	if (filethread_is_stalled())
		return !ring_is_half_full(ring);
	/* Another thread may free space while this one waits for the lock. */
	if (!drain_lock_for_room(ring))
		return !ring_is_half_full(ring);
	sigmask_all(&before);
	ended = atomic_load(&globals.ended);
	if (!ended)
		overhead_round(session, overhead_thread(), begun, writer_round(session, false),
			       false);
	ended |= session->logs.stalled && ring_is_half_full(ring);
	drain_unlock();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !ended;
}

void session_write_ended(void (*look)(const struct record *pending, void *argument), void *argument)
{
	struct session *session = thread_live_session();
	uint64_t begun = overhead_begin();

	if (!session || !drain_lock())
		return;
	overhead_round(session, overhead_thread(), begun, writer_round(session, false), false);
	writer_flush_rows(session);
	for (uint32_t i = 0; look && i < session->logs.count; i++)
		for (uint32_t at = session->logs.files[i].order.first; at;
		     at = session->pending.links[PENDING_ORDER][at].next)
			look(pending_record(&session->pending, at), argument);
	drain_unlock();
}

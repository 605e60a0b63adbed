/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/counters.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "backend/cuda/activity.h"
#include "backend/cuda/counters/context_counters.h"
#include "backend/cuda/counters/counter_values.h"
#include "backend/cuda/counters/launch_filter.h"
#include "backend/cuda/counters/launch_watch.h"
#include "backend/cuda/cuda.h"
#include "base/clock.h"

/* ns that a thread which does not launch waits for the lock. The driver may hold its own lock here,
 * which the launch waits for, so a timeout leaves the work to the next launch. */
#define PATIENCE UINT64_C(1000000000)
#define LEAVING	 UINT64_C(300000000) /* on the writer thread, when the process exits */
#define IDLE	 UINT64_C(30000000000) /* ns after which values are not left to the next launch;
					* less than match_record.c waits for them */

/* ns that a measured launch waits for excluded ones to return. One of them may wait for the kernel
 * of this launch, so a timeout leaves the kernel unmeasured. */
#define BESIDE UINT64_C(100000000)

enum { GONE = 64 };

static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uintptr_t owner; /* the thread that holds the lock, 0: none */

/* The next members are protected by the lock. */
static unsigned depth;		/* launches nested in the current launch */
static struct counted *current; /* the measured context, or NULL */
static int cancel_state;

/* Work that was postponed; the next owner of the lock does it. */
static _Atomic uintptr_t gone[GONE]; /* destroyed contexts */
static atomic_bool outdated;	     /* the plans are outdated */
static atomic_bool pausing;
static atomic_bool behind; /* there is postponed work; checked at every launch */

static atomic_uint captures; /* number of graph captures in progress */

/* Launches that are not measured do not take the lock. A measured launch at the same time may
 * include their kernels. */
static atomic_uint others_begun, others_inside;
static unsigned others_seen; /* protected by the lock */

/* Launches that are excluded because of their kernel, in progress. Meanwhile none is measured. */
static atomic_uint excluded_inside;
static atomic_uint excluded_blocked; /* those of them that wait for the lock: they begin later */
static atomic_bool starting; /* the owner of the lock may start to measure */

/* The data of a call, from its entry to its exit. */
enum { MARK_OTHER = 0x6f746865, MARK_EXCLUDED = 0x65786365 };

static bool is_mine(void)
{
	return atomic_load(&owner) == (uintptr_t)pthread_self();
}

static void forget_gone(void)
{
	for (int i = 0; i < GONE; i++) {
		uintptr_t context = atomic_exchange(&gone[i], 0);

		if (context)
			context_counters_forget((cuda_context)context);
	}
}

static void catch_up(void)
{
	if (!atomic_load(&behind) || !cuda_is_usable())
		return;
	atomic_store(&behind, false);
	forget_gone();
	if (atomic_exchange(&outdated, false))
		context_counters_replan();
	if (atomic_exchange(&pausing, false))
		context_counters_stop_all();
}

/* Cancellation is disabled while a thread holds the lock. */
static void take_over(int cancel)
{
	atomic_store(&owner, (uintptr_t)pthread_self());
	cancel_state = cancel;
	catch_up();
}

/* Returns false if the owner may never release the lock: after CUPTI has failed it does not report
 * the end of calls, and the owner's kernel may wait for that of this thread. */
static bool wait_for_lock(void)
{
	struct timespec until;
	int result = -1;

	for (int i = 0; i < LAUNCH_WATCH_WAIT && result && cuda_is_usable(); i++) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec++;
		result = pthread_mutex_timedlock(&launching, &until);
	}
	if (result && cuda_is_usable())
		launch_watch_waited();
	return !result;
}

static bool lock(void)
{
	int cancel;
	bool locked;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	locked = !pthread_mutex_trylock(&launching) ||
		 (!launch_watch_is_stuck() && wait_for_lock());
	if (locked)
		take_over(cancel);
	else
		pthread_setcancelstate(cancel, NULL);
	return locked;
}

static bool lock_within(uint64_t patience)
{
	static const struct timespec pause = {.tv_nsec = 200000};
	uint64_t begin = clock_monotonic();
	int cancel;

	if (is_mine())
		return false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	while (pthread_mutex_trylock(&launching)) {
		if (clock_monotonic() - begin >= patience) {
			pthread_setcancelstate(cancel, NULL);
			return false;
		}
		nanosleep(&pause, NULL);
	}
	take_over(cancel);
	return true;
}

static void unlock(void)
{
	int cancel = cancel_state;

	atomic_store(&owner, 0);
	pthread_mutex_unlock(&launching);
	pthread_setcancelstate(cancel, NULL);
}

/* While profiling is off, an engine that was tried is stopped. */
static void stop_tried(void)
{
	if (!activity_is_on())
		context_counters_stop_all();
}

void counters_add_context(cuda_context context)
{
	if (!lock_within(PATIENCE))
		return;
	context_counters_get(context);
	stop_tried();
	unlock();
}

static void note_gone(cuda_context context)
{
	for (int i = 0; i < GONE; i++) {
		uintptr_t none = 0;

		if (atomic_compare_exchange_strong(&gone[i], &none, (uintptr_t)context))
			break;
	}
	atomic_store(&behind, true);
}

void counters_context_ends(cuda_context context)
{
	if (lock_within(PATIENCE)) {
		context_counters_end(context);
		unlock();
	} else {
		note_gone(context);
	}
}

/* A launch on several devices is not measured: its values cannot be assigned to one kernel. */
static bool is_wanted(const struct cupti_call *call, enum call_kind kind)
{
	return kind != CALL_LAUNCHES && call->context && call->correlation &&
	       cuda_measures_counters() && activity_is_on() && !atomic_load(&captures);
}

/* The number stays 0 if the matching start was not seen. */
static void count_down(atomic_uint *number)
{
	unsigned count = atomic_load(number);

	while (count && !atomic_compare_exchange_weak(number, &count, count - 1))
		;
}

static void mark(const struct cupti_call *call, uint64_t how)
{
	if (call->correlation_data)
		*call->correlation_data = how;
}

static void note_other(const struct cupti_call *call)
{
	atomic_fetch_add(&others_inside, 1);
	atomic_fetch_add(&others_begun, 1);
	mark(call, MARK_OTHER);
}

/* Pauses the session, since CUPTI would measure the launch although its values are not used. Until
 * the launch has ended, others in progress do not start it again. Returns false if the session
 * cannot be paused, because a measured launch does not return. */
static bool pause_for(const struct cupti_call *call, enum call_kind kind)
{
	cuda_context context = kind == CALL_LAUNCHES ? NULL : call->context;
	bool locked;

	atomic_fetch_add(&excluded_inside, 1);
	if (atomic_load(&starting) || context_counters_is_active(context)) {
		atomic_fetch_add(&excluded_blocked, 1);
		locked = lock();
		atomic_fetch_sub(&excluded_blocked, 1);
		if (!locked) {
			count_down(&excluded_inside);
			return false;
		}
		context_counters_pause(context);
		unlock();
	}
	mark(call, MARK_EXCLUDED);
	return true;
}

/* Returns true if the launch is not measured because of its kernel. */
static bool is_excluded(const struct cupti_call *call, enum call_kind kind)
{
	enum launch_class class;

	if (!call->context || !cuda_measures_counters() || !activity_is_on())
		return false;
	class = launch_filter_class(call, kind);
	if (class == LAUNCH_WAITS && atomic_load(&captures))
		launch_filter_captured();
	return class != LAUNCH_MEASURED;
}

/* Waits for excluded launches to return, except those that wait for the lock. Returns false if one
 * of them takes too long. Not inlined, since that makes each launch dearer. */
__attribute__((cold, noinline)) static bool await_excluded(void)
{
	static const struct timespec pause = {.tv_nsec = 20000};
	uint64_t begin = 0;

	for (;;) {
		unsigned blocked = atomic_load(&excluded_blocked);
		uint64_t now;

		if (atomic_load(&excluded_inside) <= blocked)
			return true;
		now = clock_monotonic();
		if (begin && now - begin >= BESIDE)
			return false;
		begin = begin ? begin : now;
		nanosleep(&pause, NULL);
	}
}

/* Starts measuring, if it is not started. Returns false if that fails, or if an excluded launch is
 * in progress: either it is seen here, before CUPTI is called, or pause_for sees `starting`, and
 * waits for the lock. */
static bool start_unless_excluded(struct counted *context, cuda_context cuda)
{
	bool excluded, started;

	atomic_store(&starting, true);
	excluded = atomic_load(&excluded_inside) && !await_excluded();
	started = !excluded && context_counters_activate(context);
	atomic_store(&starting, false);
	if (excluded)
		context_counters_pause(cuda);
	return started;
}

static void measure(const struct cupti_call *call, enum call_kind kind)
{
	struct counted *context;

	context = is_wanted(call, kind) ? context_counters_get(call->context) : NULL;
	if (!context || !start_unless_excluded(context, call->context))
		return;
	others_seen = atomic_load(&others_begun) - (atomic_load(&others_inside) != 0);
	if (!context_counters_enter(context, call->correlation, kind == CALL_GRAPH))
		return;
	current = context;
	launch_watch_begin(kind == CALL_GRAPH ? NULL : call->symbol);
}

void counters_enter(const struct cupti_call *call, enum call_kind kind)
{
	if (is_mine()) {
		depth++;
		return;
	}
	mark(call, 0);
	if (is_excluded(call, kind)) {
		if (atomic_load(&captures) || !pause_for(call, kind))
			note_other(call);
	} else if (!is_wanted(call, kind) || !lock()) {
		note_other(call);
	} else {
		measure(call, kind);
	}
}

static int result_of(const struct cupti_call *call)
{
	return call->result ? *(const int *)call->result : 0;
}

static bool was_excluded(const struct cupti_call *call)
{
	return call->correlation_data && *call->correlation_data == MARK_EXCLUDED;
}

void counters_leave(const struct cupti_call *call)
{
	if (!is_mine()) {
		count_down(was_excluded(call) ? &excluded_inside : &others_inside);
		return;
	}
	if (depth) {
		depth--;
		return;
	}
	if (current)
		launch_watch_end();
	if (current && cuda_is_usable())
		context_counters_leave(current, !result_of(call) &&
							others_seen == atomic_load(&others_begun));
	else if (current)
		counter_values_complete(call->correlation);
	current = NULL;
	unlock();
}

/* Waits for a launch that is being measured when a capture begins. Afterwards CUPTI must not be
 * called to pause. */
static void begin_capture(const struct cupti_call *call)
{
	if (call->site == CUPTI_ENTER) {
		atomic_fetch_add(&captures, 1);
		if (lock_within(PATIENCE)) {
			context_counters_pause(NULL);
			unlock();
		}
	} else if (result_of(call)) {
		count_down(&captures);
	}
}

void counters_capture(const struct cupti_call *call, enum call_kind kind)
{
	if (kind == CALL_CAPTURE)
		begin_capture(call);
	else if (call->site == CUPTI_EXIT && calls_end_capture(result_of(call)))
		count_down(&captures);
}

void counters_pause(void)
{
	atomic_store(&pausing, true);
	atomic_store(&behind, true);
	if (lock_within(PATIENCE))
		unlock();
}

void counters_fetch(bool all)
{
	launch_watch_look();
	if (!counter_values_is_late(all ? 0 : IDLE) || (atomic_load(&captures) && !all) ||
	    !lock_within(all ? LEAVING : 0))
		return;
	context_counters_finish();
	unlock();
}

/* Values measured until the end of a launch in progress are dropped, too. */
void counters_replan(void)
{
	atomic_store(&outdated, true);
	atomic_store(&behind, true);
	counter_values_forget();
	if (!lock_within(PATIENCE))
		return;
	stop_tried();
	unlock();
}

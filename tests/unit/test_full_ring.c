/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <time.h>

#include <cmocka.h>

#include "session/locks.h"

#include "checks.h"
#include "profiled_program.h"

/* A thread whose ring is full waits as long as records are moved, however slowly, and ten seconds
 * otherwise; so does the end of the process. Most tests advance the clock. */
enum {
	CAPACITY = 1024,
	STEPS = 60,
	ROWS = 4000,
	ONE_RING = 1200,
	BUSY = 12,
	TURN = 1 << 13,
	TURNS = 12,
	SECOND = 1000000000
};

static _Atomic uint64_t ahead; /* ns */

/* In place of the C library's. */
int clock_gettime(clockid_t id, struct timespec *to)
{
	int error = (int)syscall(SYS_clock_gettime, id, to);
	uint64_t nanoseconds = (uint64_t)to->tv_nsec + ahead;

	to->tv_sec += (time_t)(nanoseconds / SECOND);
	to->tv_nsec = (long)(nanoseconds % SECOND);
	return error;
}

static void pause_for(long milliseconds)
{
	nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

static pthread_barrier_t locked;

/* Returns whether this thread got the lock while another one ran `owner`, which has it. */
static bool gets_lock(void *(*owner)(void *))
{
	struct ring *full = calloc(1, sizeof(*full) + CAPACITY);
	pthread_t thread;
	bool got;

	assert_non_null(full);
	ring_init(full, sizeof(*full) + CAPACITY);
	atomic_store(&full->head, CAPACITY);
	ahead = 0;
	pthread_barrier_init(&locked, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, owner, NULL), 0);
	pthread_barrier_wait(&locked);
	got = drain_lock_for_room(full);
	if (got)
		drain_unlock();
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&locked);
	free(full);
	return got;
}

static void take_lock(void)
{
	if (!drain_lock())
		abort();
	pthread_barrier_wait(&locked);
}

/* Half a minute, by records or by driver calls. */
static void *go_on(bool by_calls)
{
	take_lock();
	for (int i = 0; i < STEPS; i++) {
		pause_for(10);
		ahead += SECOND / 2;
		if (by_calls) {
			drain_call_begin();
			drain_call_end();
		} else {
			drain_moved_record();
		}
	}
	drain_unlock();
	return NULL;
}

static void *take_records(void *argument)
{
	(void)argument;
	return go_on(false);
}

static void *call_driver(void *argument)
{
	(void)argument;
	return go_on(true);
}

static void *do_nothing(void *argument)
{
	(void)argument;
	take_lock();
	for (int i = 0; i < 2 * STEPS; i++) {
		pause_for(10);
		ahead += SECOND / 2;
	}
	drain_unlock();
	return NULL;
}

/* The whole process stands still. */
static void *be_stopped(void *argument)
{
	(void)argument;
	take_lock();
	pause_for(20);
	ahead += UINT64_C(20) * SECOND;
	pause_for(20);
	drain_unlock();
	return NULL;
}

static void test_records(void **state)
{
	(void)state;
	assert_true(gets_lock(take_records));
}

static void test_calls(void **state)
{
	(void)state;
	assert_true(gets_lock(call_driver));
}

static void test_nothing(void **state)
{
	(void)state;
	assert_false(gets_lock(do_nothing));
	assert_in_range(ahead, UINT64_C(10) * SECOND, UINT64_C(60) * SECOND);
}

static void test_stopped(void **state)
{
	(void)state;
	assert_true(gets_lock(be_stopped));
}

static _Atomic bool slow = true;

/* Each query takes 50 ms of the clock, so those of one round take a minute. */
static int slow_poll(struct record *record)
{
	if (slow) {
		ahead += SECOND / 20;
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	}
	return fake_poll(record);
}

static void start_polled_by(int (*poll)(struct record *record))
{
	static struct source source = {.release = fake_release};

	alarm(120);
	source.poll = poll;
	if (session_attach(API_OPENCL, new_settings(API_OPENCL, "log"), &source) ||
	    session_device(&(struct device){.name = "Fake"}) ||
	    session_context(&(struct context){0}))
		_exit(100);
}

static void launch_slowly(uint64_t rows)
{
	start_polled_by(slow_poll);
	for (uint64_t i = 0; i < rows; i++)
		launch(1, i, FAKE_DONE);
}

static void fill_ring(void)
{
	launch_slowly(ROWS);
	slow = false;
	session_stop();
	session_end();
}

static void end_slowly(void)
{
	launch_slowly(ONE_RING);
	session_stop();
	session_end();
}

/* More records than the ring holds. */
static void test_slow_rounds(void **state)
{
	(void)state;
	assert_int_equal(run(fill_ring), 0);
	check("log", ROWS, ROWS);
}

/* The program ends in a long round of the writer: the round is waited for. */
static void test_slow_end(void **state)
{
	(void)state;
	assert_int_equal(run(end_slowly), 0);
	check("log", ONE_RING, ONE_RING);
	assert_string_equal(find_ring(), "");
}

static _Atomic uint64_t polls;

/* A device that is slower than the threads that use it. */
static int busy_poll(struct record *record)
{
	uint64_t begin = clock_monotonic();

	polls++;
	while (clock_monotonic() - begin < 20000)
		;
	return fake_poll(record);
}

static void *launch_for_ever(void *argument)
{
	for (uint64_t i = 0;; i++)
		launch((uint32_t)(uintptr_t)argument, i, FAKE_DONE);
	return NULL;
}

static void end_while_busy(void)
{
	pthread_t thread;
	uint64_t before;

	start_polled_by(busy_poll);
	for (uintptr_t i = 0; i < BUSY; i++)
		if (pthread_create(&thread, NULL, launch_for_ever, (void *)i))
			_exit(2);
	pause_for(500);
	before = polls;
	session_stop();
	_exit(polls - before > (uint64_t)TURNS * TURN);
}

/* The program ends while threads launch faster than the device is queried: only a few turns of the
 * rounds are waited for, not all of each round. */
static void test_busy_end(void **state)
{
	(void)state;
	assert_int_equal(run(end_while_busy), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_slow_rounds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_slow_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_busy_end, set_up, tear_down),
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

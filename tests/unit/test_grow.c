/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "checks.h"
#include "profiled.h"
#include "session/locks.h"
#include "session/state.h"
#include "session/thread.h"

/* Rings start small and grow: what many threads with few records take, and that no record, no order
 * and no number is lost when a thread goes on in a larger ring. */

enum { THREADS = 200, FEW = 2, BURST = 700, BURSTS = 6, BUSY = 4 };

static pthread_barrier_t barrier;
static _Atomic uint64_t serial;
static _Atomic int failed;

static off_t ring_size(void)
{
	struct stat status;

	return stat(find_ring(), &status) ? -1 : status.st_size;
}

static void in_threads(int count, void *(*run_one)(void *))
{
	pthread_t made[THREADS];

	pthread_barrier_init(&barrier, NULL, (unsigned)count + 1);
	for (int i = 0; i < count; i++)
		if (pthread_create(&made[i], NULL, run_one, NULL))
			_exit(103);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < count; i++)
		pthread_join(made[i], NULL);
}

static void *few(void *argument)
{
	for (int i = 0; i < FEW; i++)
		launch(1, atomic_fetch_add(&serial, 1), FAKE_DONE);
	pthread_barrier_wait(&barrier); /* all are there at the same time */
	return argument;
}

static void many_threads(void)
{
	start(new_settings(API_OPENCL, "log"));
	in_threads(THREADS, few);
	if (ring_size() <= 0 || ring_size() >= 4 << 20) {
		fprintf(stderr, "the ring file has %lld bytes\n", (long long)ring_size());
		_exit(1);
	}
	session_stop();
	session_end();
}

static void test_many_threads(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(many_threads), 0);
	assert_int_equal(read_rows("log", &rows, THREADS * FEW), 0);
	assert_int_equal(rows.count, THREADS * FEW);
	assert_int_equal(wrong_counts(&rows, 0, THREADS * FEW), 0);
	free(rows.seen);
}

/* Each launch has the number after the last one's, in whichever ring it is, and an event has none
 * of these. */
static void *burst(void *argument)
{
	uint64_t newest = probe_newest();

	pthread_barrier_wait(&barrier);
	for (int i = 0; i < BURST; i++) {
		launch(1, atomic_fetch_add(&serial, 1), FAKE_DONE);
		if (probe_newest() != ++newest)
			atomic_store(&failed, 1);
		called(clock_monotonic(), 1, newest);
		if (probe_newest() != newest)
			atomic_store(&failed, 2);
	}
	return argument;
}

static void bursts(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = strdup("trace");
	settings->api_calls = true;
	start(settings);
	for (int i = 0; i < BURSTS; i++)
		in_threads(BUSY, burst);
	if (atomic_load(&thread_live_session()->moves) < BUSY || ring_size() > 4 << 20)
		_exit(1);
	session_stop();
	session_end();
	_exit(atomic_load(&failed));
}

static void test_bursts(void **state)
{
	struct rows rows;
	size_t size;

	(void)state;
	assert_int_equal(run(bursts), 0);
	assert_int_equal(read_rows("log", &rows, BURSTS * BUSY * BURST), 0);
	assert_true(rows.ordered);
	assert_int_equal(rows.count, BURSTS * BUSY * BURST);
	assert_int_equal(wrong_counts(&rows, 0, BURSTS * BUSY * BURST), 0);
	free(rows.seen);
	free(read_file("said", &size));
	assert_int_equal(size, 0);
}

/* All that is in both rings is recovered: nothing has been taken out of them yet. */
static void killed(void)
{
	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	if (!drain_lock())
		_exit(1);
	for (uint64_t i = 1; i < BURST; i++)
		launch(1, i, FAKE_DONE);
	raise(SIGKILL);
}

static void test_killed(void **state)
{
	(void)state;
	assert_int_equal(run(killed), -1);
	assert_int_equal(recover(find_ring()), RECOVER_DONE);
	check("log", BURST, BURST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_many_threads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bursts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_killed, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/state.h"
#include "session/thread.h"

#include "checks.h"
#include "profiled_program.h"

/* The members that a probe sets in its slot, and when it wakes the writer. */

enum { LAPS = 5000, ODD_ERRNO = 4711 };

static void require(bool well, int status)
{
	if (!well)
		_exit(status);
}

/* One record, in a slot that was used before. */
static void fill_in(uint64_t serial, uint64_t *correlation)
{
	uint64_t begin = clock_monotonic(), before_record;
	struct probe probes[2]; /* the stack grows downwards */
	struct probe *probe = &probes[1], *inner = &probes[0];
	struct record *record;

	probe_begin(probe);
	require(probe->enter >= begin && probe->enter <= clock_monotonic(), 1);
	require(thread_self()->rings[0]->ring.open == probe->enter, 2);
	probe_begin(inner);
	require(inner->nested && inner->enter >= probe->enter, 3);
	require(inner->enter <= clock_monotonic(), 4);
	require(thread_self()->rings[0]->ring.open == probe->enter, 5);
	probe_end(inner);
	before_record = clock_monotonic();
	errno = ODD_ERRNO;
	record = probe_record(probe, FRAME_COPY);
	require(errno == ODD_ERRNO, 6);
	require(record->enter == probe->enter && record->leave >= before_record, 7);
	require(record->leave <= clock_monotonic(), 8);
	require(!record->bytes && !record->handle && !record->known && !record->stream, 9);
	require(!*correlation || record->frame.correlation == *correlation + 1, 10);
	*correlation = record->frame.correlation;
	record->stream = 1;
	record->bytes = serial;
	record->handle = FAKE_DONE;
	record->known = KNOWN_BYTES | KNOWN_STREAM;
	probe_commit();
	probe_end(probe);
	require(!thread_self()->rings[0]->ring.open, 11);
}

static void lapping(void)
{
	uint64_t correlation = 0;

	start(new_settings(API_OPENCL, "log"));
	for (uint64_t i = 0; i < LAPS; i++)
		fill_in(i, &correlation);
	session_stop();
	session_end();
}

static void test_probe_slots(void **state)
{
	(void)state;
	assert_int_equal(run(lapping), 0);
	check("log", LAPS, LAPS);
}

/* Returns true if a launch has woken the writer, which makes no rounds any more. */
static bool wakes(uint64_t serial)
{
	atomic_store(&globals.session->wake, 0);
	launch(1, serial, FAKE_DONE);
	return atomic_load(&globals.session->wake);
}

/* At a thread's first record, and at each one that finds the ring half full. */
static void *wake_the_writer(void *argument)
{
	uint64_t serial = 1;
	struct ring *ring;

	require(wakes(serial++), 20);
	require(!wakes(serial++), 21);
	ring = &thread_self()->rings[0]->ring;
	for (int round = 0; round < 3; round++) {
		uint64_t used;

		do {
			used = ring_used(ring);
			require(wakes(serial++) == (used > ring->capacity / 2), 22);
		} while (used <= ring->capacity * 3 / 4);
		session_write_ended(NULL, NULL);
		require(!ring_used(ring), 23);
		require(!wakes(serial++), 24);
	}
	*(uint64_t *)argument = serial;
	return NULL;
}

static void waking(void)
{
	uint64_t serials = 0;
	pthread_t thread;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	session_stop();
	require(!pthread_create(&thread, NULL, wake_the_writer, &serials), 25);
	pthread_join(thread, NULL);
	session_end();
	require(serials > 3000, 26);
}

static void test_wakes(void **state)
{
	(void)state;
	assert_int_equal(run(waking), 0);
}

/* After the end there are no slots, but still times. */
static void ended(void)
{
	uint64_t begin;
	struct probe probe;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	session_stop();
	session_end();
	begin = clock_monotonic();
	probe_begin(&probe);
	require(probe.enter >= begin && probe.enter <= clock_monotonic(), 30);
	require(!probe_record(&probe, FRAME_COPY), 31);
	probe_end(&probe);
}

static void test_ended(void **state)
{
	(void)state;
	assert_int_equal(run(ended), 0);
	check("log", 1, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_probe_slots, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_wakes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_ended, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

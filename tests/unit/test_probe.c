/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "session/state.h"
#include "session/thread.h"

#include "checks.h"
#include "profiled_program.h"

/* Probes that are left in unusual ways, and records without room. */

enum { PAST_ALL_RINGS = 5000 };

/* Its frame is invalid afterwards, as after a longjmp. */
__attribute__((noinline)) static void leave_a_probe_behind(void)
{
	struct probe left;

	probe_begin(&left);
	if (left.nested)
		_exit(1);
}

static void abandoned(void)
{
	struct probe probe; /* above the frames of all functions called from here */

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	leave_a_probe_behind();
	probe_begin(&probe);
	if (probe.nested)
		_exit(3);
	probe_end(&probe);
	launch(1, 1, FAKE_DONE);
	usleep(10000);
	session_write_ended(NULL, NULL);
	if (globals.session->pending.used)
		_exit(2);
	session_stop();
	session_end();
}

static void test_probe_left_by_longjmp(void **state)
{
	(void)state;
	assert_int_equal(run(abandoned), 0);
	check("log", 2, 2);
}

/* A loop that a longjmp returns to begins its probe again at the same address. */
static void begun_again(void)
{
	struct probe probe;

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	probe_begin(&probe);
	if (probe.nested)
		_exit(1);
	probe_begin(&probe);
	if (probe.nested || probe.outer)
		_exit(2);
	probe_end(&probe);
	if (thread_self()->innermost)
		_exit(3);
	session_stop();
	session_end();
}

static void test_probe_begun_again(void **state)
{
	(void)state;
	assert_int_equal(run(begun_again), 0);
	check("log", 1, 1);
}

static bool no_sigaltstack;

int sigaltstack(const stack_t *stack, stack_t *old)
{
	if (!no_sigaltstack)
		return (int)syscall(SYS_sigaltstack, stack, old);
	errno = EPERM;
	return -1;
}

/* The stack is unknown: it is assumed to be the usual one. */
static void abandoned_unseen(void)
{
	no_sigaltstack = true;
	abandoned();
}

static void test_left_without_sigaltstack(void **state)
{
	(void)state;
	assert_int_equal(run(abandoned_unseen), 0);
	check("log", 2, 2);
}

static const struct probe *outer;

static void on_signal(int number)
{
	struct probe probe;

	(void)number;
	if ((char *)&probe < (const char *)outer)
		_exit(1);
	probe_begin(&probe);
	if (!probe.nested || probe.outer != outer)
		_exit(2);
	probe_end(&probe);
}

__attribute__((noinline)) static void be_interrupted(void)
{
	struct probe probe;

	outer = &probe;
	probe_begin(&probe);
	raise(SIGUSR1);
	if (thread_self()->innermost != &probe)
		_exit(3);
	probe_end(&probe);
}

/* A signal stack above the program's. */
static void interrupted(void)
{
	char above[65536];
	const stack_t stack = {.ss_sp = above, .ss_size = sizeof(above)};
	const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	start(new_settings(API_OPENCL, "log"));
	if (sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL))
		_exit(101);
	be_interrupted();
	session_end();
}

static void test_stack_of_a_handler(void **state)
{
	(void)state;
	assert_int_equal(run(interrupted), 0);
}

/* A driver's call in nested signal handlers, each of which interrupts a probe. */
static void fill(uint64_t level)
{
	struct probe probe;
	struct record *record;

	probe_begin(&probe);
	record = probe_record(&probe, FRAME_COPY);
	if (!record != (level == THREAD_RINGS) || probe.nested != (level > 0))
		_exit(1);
	if (record) {
		fill(level + 1);
		record->bytes = level;
		record->handle = FAKE_DONE;
		record->known = KNOWN_BYTES | KNOWN_STREAM;
		probe_commit();
	}
	probe_end(&probe);
}

static void filled_in_handlers(void)
{
	start(new_settings(API_OPENCL, "log"));
	fill(0);
	if (thread_self()->filling)
		_exit(2);
	session_stop();
	session_end();
}

static void expect_said(const char *expected)
{
	size_t size;
	char *said = read_file("said", &size);

	assert_non_null(said);
	assert_non_null(strstr(said, expected));
	free(said);
}

static void test_records_in_records(void **state)
{
	(void)state;
	assert_int_equal(run(filled_in_handlers), 0);
	check("log", THREAD_RINGS, THREAD_RINGS);
	expect_said("1 record was lost");
}

/* The program returns to a record that was left. */
static void returning(void)
{
	struct probe probes[2];

	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_DONE);
	probe_begin(&probes[0]);
	if (!probe_record(&probes[0], FRAME_COPY))
		_exit(1);
	probe_begin(&probes[1]);
	probe_commit();
	probe_end(&probes[1]);
	session_stop();
	session_end();
}

static void test_record_come_back_to(void **state)
{
	(void)state;
	assert_int_equal(run(returning), 0);
	check("log", 1, 1);
	expect_said("1 record was lost");
}

/* A driver that calls its own functions while the writer calls it: rounds do not nest. */
static _Atomic uint64_t made;

static int launching_poll(struct record *record)
{
	if (record->bytes == 0 && !made) {
		for (made = 1; made < PAST_ALL_RINGS; made++)
			launch(2, made, FAKE_NONE);
		/* This thread's ring is full, and the calls continue. */
		launch(2, made++, FAKE_NONE);
	}
	record->handle = 0;
	return 1;
}

static const struct source launching_source = {.poll = launching_poll, .release = fake_release};

static void launch_in_poll(void)
{
	if (session_attach(API_OPENCL, new_settings(API_OPENCL, "log"), &launching_source) ||
	    session_device(&(struct device){.name = "Fake"}) ||
	    session_context(&(struct context){0}))
		_exit(100);
	launch(1, 0, FAKE_DONE);
	session_stop();
	session_end();
	_exit(made == PAST_ALL_RINGS + 1 ? 0 : 3);
}

static void test_full_ring_in_a_round(void **state)
{
	struct rows rows;
	char expected[64];

	(void)state;
	assert_int_equal(run(launch_in_poll), 0);
	assert_int_equal(read_rows("log", &rows, PAST_ALL_RINGS + 1), 0);
	assert_in_range(rows.count, 1000, 2000);
	assert_int_equal(wrong_counts(&rows, 0, (uint64_t)rows.count), 0);
	snprintf(expected, sizeof(expected), "%d records were lost",
		 PAST_ALL_RINGS + 1 - rows.count);
	expect_said(expected);
	free(rows.seen);
}

static void *launch_one(void *number)
{
	launch(1, (uintptr_t)number, FAKE_NONE);
	return NULL;
}

/* A ring is reused by the next thread even if it was not emptied. */
static void short_threads(void)
{
	start(new_settings(API_OPENCL, "log"));
	launch(1, 0, FAKE_NONE);
	session_stop(); /* the writer has ended */
	for (uintptr_t i = 1; i < PAST_ALL_RINGS; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, launch_one, (void *)i))
			_exit(3);
		pthread_join(thread, NULL);
	}
	if (globals.session->ring_count != 2)
		_exit(4);
	session_end();
}

static void test_ring_of_a_thread_that_is_over(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(short_threads), 0);
	assert_int_equal(read_rows("log", &rows, PAST_ALL_RINGS), 0);
	assert_int_equal(rows.count, PAST_ALL_RINGS);
	assert_int_equal(wrong_counts(&rows, 0, PAST_ALL_RINGS), 0);
	free(rows.seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_probe_left_by_longjmp, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_probe_begun_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_left_without_sigaltstack, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stack_of_a_handler, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_records_in_records, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_record_come_back_to, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_full_ring_in_a_round, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_ring_of_a_thread_that_is_over, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

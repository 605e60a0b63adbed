/* SPDX-License-Identifier: MIT */
/* The waits of an exit: what is written is not waited for again, and a driver whose compiler has
 * ended is not called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profiled_program.h"

enum { LIMIT = 1000, DELIVERIES = 3 };

static _Atomic int flushes, requests; /* calls of flush: of probes' source, of the other one */
static _Atomic int due;		      /* records that will be delivered, one in each round */

static void flush(void)
{
	flushes++;
}

static bool compiles(void)
{
	return true;
}

static const struct source probes = {
	.poll = fake_poll,
	.release = fake_release,
	.flush = flush,
};

static const struct source compiler = {
	.poll = fake_poll,
	.release = fake_release,
	.flush = flush,
	.works_here = compiles,
	.has_compiled = compiles,
};

static void request(void)
{
	requests++;
	due = DELIVERIES;
}

static void fetch(void)
{
}

static uint64_t collect(enum collecting how)
{
	static uint64_t serial;
	struct record record = {
		.frame.kind = FRAME_COPY,
		.context = 1,
		.device = 1,
		.enter = clock_monotonic(),
		.bytes = serial,
		.started = 1700000000000000000u,
		.ended = 1700000000000000000u + (serial % 1000 + 1) * 1000,
		.known = KNOWN_BYTES | KNOWN_STREAM | KNOWN_TIMES,
	};

	(void)how;
	if (!due)
		return 0;
	record.leave = record.enter;
	session_take(&record, NULL, 0);
	serial++;
	due--;
	return 1;
}

static uint64_t horizon(void)
{
	return UINT64_MAX;
}

static bool waiting(void)
{
	return due;
}

static const struct source delivered = {
	.flush = request,
	.fetch = fetch,
	.collect = collect,
	.horizon = horizon,
	.waiting = waiting,
};

static void start_probes(const struct source *source)
{
	if (session_attach(API_OPENCL, new_settings(API_OPENCL, "log"), source) ||
	    session_device(&(struct device){.name = "Fake"}) ||
	    session_context(&(struct context){0}))
		_exit(100);
}

static void expect(bool holds, int code)
{
	if (!holds)
		_exit(code);
}

static void check(const char *log, int count, int untimed)
{
	struct rows rows;

	assert_int_equal(read_rows(log, &rows, LIMIT), 0);
	assert_int_equal(rows.count, count);
	assert_int_equal(rows.untimed, untimed);
	free(rows.seen);
}

static void settled(void)
{
	start_probes(&probes);
	for (uint64_t i = 0; i < 10; i++)
		launch(1, i, FAKE_SLOW);
	session_before_exit();
	expect(flushes == 1, 1);
	session_before_exit();
	session_stop();
	expect(flushes == 1, 2);
	session_end();
}

static void test_written_records_are_not_waited_for_again(void **state)
{
	(void)state;
	assert_int_equal(run(settled), 0);
	check("log", 10, 0);
}

static void launched_later(void)
{
	start_probes(&probes);
	launch(1, 0, FAKE_SLOW);
	session_before_exit();
	launch(1, 1, FAKE_SLOW); /* in an exit handler of the program */
	session_stop();
	expect(flushes == 2, 1);
	session_end();
}

static void test_later_records_are_waited_for(void **state)
{
	(void)state;
	assert_int_equal(run(launched_later), 0);
	check("log", 2, 0);
}

/* The last exit handler: those of a compiler would have been called. */
static void after_compiler(void)
{
	int before = flushes, requests_before = requests;

	launch(1, 1, FAKE_NEVER);
	session_stop();
	expect(flushes == before, 1);
	expect(requests == requests_before + 1, 2);
	expect(!due, 3);
	session_end();
	_exit(0);
}

static void both(void)
{
	start_probes(&compiler);
	if (session_attach(API_CUDA, new_settings(API_CUDA, "log.cuda"), &delivered) ||
	    session_device(&(struct device){.api = API_CUDA, .name = "Fake"}) != 1 ||
	    session_context(&(struct context){.api = API_CUDA, .device = 1}) != 1)
		_exit(100);
	launch(1, 0, FAKE_SLOW);
	atexit(after_compiler);
	session_before_exit(); /* the compiler is watched from here on */
	expect(flushes == 1 && requests == 1, 4);
	exit(5);
}

static void test_deliveries_are_waited_for_after_the_compiler(void **state)
{
	(void)state;
	assert_int_equal(run(both), 0);
	check("log", 2, 1);
	check("log.cuda", 3 * DELIVERIES, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_written_records_are_not_waited_for_again,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_later_records_are_waited_for, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_deliveries_are_waited_for_after_the_compiler,
						set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/locks.h"
#include "session/overhead.h"
#include "session/state.h"

#include "profiled_program.h"

/* The overhead of profiling in a program's trace. */

enum { MANY = 50000, BUSY = 900 /* ms */, MOST = 100 };

static struct settings *with_calls(void)
{
	struct settings *settings = new_settings(API_OPENCL, "log");

	settings->trace = strdup("trace");
	settings->api_calls = true;
	return settings;
}

struct seen {
	struct overhead events[MOST];
	uint32_t count;
};

/* Checks that all are valid and that those of the process do not overlap. */
static struct seen read_overheads(void)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader;
	struct seen seen = {0};
	const struct frame *frame;
	glob_t found;

	/* The file of a child has its number in its name. */
	assert_int_equal(glob("trace*", 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 1);
	reader = trace_open(found.gl_pathv[0], &error);
	globfree(&found);
	assert_non_null(reader);
	while (trace_next_frame(reader, &frame, &error) == 1) {
		const struct overhead *event = (const void *)frame;

		if (frame->kind != FRAME_OVERHEAD)
			continue;
		assert_in_range(event->enter, 1, event->leave);
		assert_in_range(event->leave, event->enter, clock_monotonic());
		assert_int_equal(event->api, API_OPENCL);
		assert_int_equal(event->object, frame->thread);
		assert_true(seen.count < MOST);
		seen.events[seen.count++] = *event;
	}
	assert_string_equal(strbuf_text(&error), "");
	trace_close(reader);
	strbuf_free(&error);
	return seen;
}

static uint32_t count(const struct seen *seen, enum overhead_kind kind, bool of_thread)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < seen->count; i++)
		found += seen->events[i].kind == kind && !seen->events[i].object == !of_thread;
	return found;
}

static void finish(void)
{
	session_stop();
	session_end();
}

static void little(void)
{
	start(with_calls());
	launch(1, 0, FAKE_DONE);
	finish();
}

/* The start, the wait at the end, the last round, and closing. */
static void test_short_program(void **state)
{
	struct seen seen;

	(void)state;
	assert_int_equal(run(little), 0);
	seen = read_overheads();
	assert_in_range(seen.count, 4, 8);
	assert_int_equal(count(&seen, OVERHEAD_RESOURCE, true), 1);
	assert_int_equal(count(&seen, OVERHEAD_RESOURCE, false), 1);
	assert_true(count(&seen, OVERHEAD_FLUSH, true) >= 1);
	assert_true(count(&seen, OVERHEAD_FLUSH, false) >= 1);
}

static void not_requested(void)
{
	struct settings *settings = with_calls();

	settings->api_calls = false;
	start(settings);
	if (overhead_begin() || session_overhead_begin())
		_exit(1);
	overhead_note(OVERHEAD_COMPILER, 0, overhead_begin(), 1);
	session_overhead(OVERHEAD_COMPILER, clock_monotonic(), 1);
	launch(1, 0, FAKE_DONE);
	finish();
}

static void test_not_requested(void **state)
{
	(void)state;
	assert_int_equal(run(not_requested), 0);
	assert_int_equal(read_overheads().count, 0);
}

/* Continuous rounds: at most five per second of the writer's are recorded. */
static void busy(void)
{
	uint64_t begin = clock_monotonic(), serial = 0;

	start(with_calls());
	while (clock_monotonic() - begin < BUSY * 1000000ull) {
		launch(1, serial++, FAKE_DONE);
		session_nudge();
		usleep(500);
	}
	finish();
}

static void test_busy_program(void **state)
{
	struct seen seen;
	uint32_t rounds;

	(void)state;
	assert_int_equal(run(busy), 0);
	seen = read_overheads();
	rounds = count(&seen, OVERHEAD_FLUSH, false);
	/* and those at the end: a flush, the longest one held back, the last round */
	assert_in_range(rounds, 3, 1 + BUSY / 200 + 3);
	for (uint32_t i = 0; i < seen.count; i++)
		for (uint32_t j = 0; j < seen.count; j++) {
			const struct overhead *one = &seen.events[i], *two = &seen.events[j];

			if (i != j && one->kind == OVERHEAD_FLUSH && !one->object &&
			    two->kind == OVERHEAD_FLUSH && !two->object)
				assert_true(one->leave <= two->enter || two->leave <= one->enter);
		}
}

/* There is no writer any more: the thread must make room itself. */
static void helping(void)
{
	start(with_calls());
	launch(1, 0, FAKE_DONE);
	session_stop();
	for (uint64_t i = 1; i < MANY; i++)
		launch(1, i, FAKE_DONE);
	session_end();
}

static void test_helping_thread(void **state)
{
	struct seen seen;
	uint64_t moved = 0;

	(void)state;
	assert_int_equal(run(helping), 0);
	seen = read_overheads();
	for (uint32_t i = 0; i < seen.count; i++)
		if (seen.events[i].kind == OVERHEAD_FLUSH && seen.events[i].object)
			moved += seen.events[i].count;
	assert_in_range(moved, 100, MANY);
}

/* Overheads of a back end: those without an entry are dropped, and after a round entries are free
 * again. */
static void told(void)
{
	start(with_calls());
	for (int i = 0; i < 2; i++) {
		assert_true(drain_lock()); /* prevents a round in between */
		for (int j = 0; j < 40; j++)
			session_overhead(OVERHEAD_COMPILER, session_overhead_begin(), 7);
		drain_unlock();
		launch(1, (uint64_t)i, FAKE_DONE);
		session_flush();
	}
	session_overhead(OVERHEAD_COMPILER, 0, 7);
	finish();
}

static void test_told(void **state)
{
	struct seen seen;

	(void)state;
	assert_int_equal(run(told), 0);
	seen = read_overheads();
	assert_int_equal(count(&seen, OVERHEAD_COMPILER, false), 0);
	assert_in_range(count(&seen, OVERHEAD_COMPILER, true), 60, 64);
	for (uint32_t i = 0; i < seen.count; i++)
		if (seen.events[i].kind == OVERHEAD_COMPILER)
			assert_int_equal(seen.events[i].count, 7);
}

/* Overheads before a fork are recorded by the parent only. */
static void forking(void)
{
	int status;

	start(with_calls());
	session_overhead(OVERHEAD_COMPILER, session_overhead_begin(), 7);
	if (!fork()) {
		launch(1, 0, FAKE_DONE);
		finish();
		_exit(0);
	}
	if (wait(&status) < 0 || status)
		_exit(1);
}

static void test_forking(void **state)
{
	struct seen seen;

	(void)state;
	assert_int_equal(run(forking), 0);
	seen = read_overheads();
	assert_true(seen.count >= 4);
	assert_int_equal(count(&seen, OVERHEAD_COMPILER, true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_short_program, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_not_requested, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_busy_program, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_helping_thread, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_forking, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/state.h"
#include "settings/options.h"

#include "profiled_program.h"
#include "stderr_capture.h"

/* The program's own calls: when they are recorded, their records, and their output. */

static struct settings settings;

static int clear(void **state)
{
	(void)state;
	settings_free(&settings);
	unsetenv("COMPUTE_PROFILE");
	unsetenv("COMPUTE_PROFILE_API");
	unsetenv("COMPUTE_PROFILE_TRACE");
	unsetenv("COMPUTE_PROFILE_TOTALS");
	unsetenv("COMPUTE_PROFILE_TRACE_FROM");
	unsetenv("COMPUTE_PROFILE_MANAGED");
	return 0;
}

static void test_option(void **state)
{
	const struct option_row *row = option_find("trace", "api");

	(void)state;
	assert_null(option_set(row, &settings, "yes"));
	assert_true(settings.api_calls);
	assert_null(option_set(row, &settings, "NO"));
	assert_false(settings.api_calls);
	assert_string_equal(option_set(row, &settings, "1"), "must be yes or no");
	assert_false(settings.api_calls);
	assert_null(option_set(row, &settings, ""));
	assert_true(settings.api_calls);
}

/* Calls are recorded only with a trace; without one a message is printed once. */
static void test_needs_a_trace(void **state)
{
	(void)state;
	setenv("COMPUTE_PROFILE", "1", 1);
	setenv("COMPUTE_PROFILE_API", "1", 1);
	for (int i = 0; i < 2; i++) {
		const char *said;

		listen_now();
		settings_load(&settings, API_OPENCL);
		said = hear();
		assert_true((strstr(said, "set COMPUTE_PROFILE_TRACE") == NULL) == i);
		assert_false(settings.api_calls);
		settings_free(&settings);
	}
	setenv("COMPUTE_PROFILE_TRACE", "t", 1);
	settings_load(&settings, API_OPENCL);
	assert_true(settings.api_calls);
	settings_free(&settings);
	setenv("COMPUTE_PROFILE_API", "0", 1);
	settings_load(&settings, API_OPENCL);
	assert_false(settings.api_calls);
}

/* Managed memory is recorded for CUDA only, needs a trace, and turns calls on. */
static void test_managed(void **state)
{
	static const struct {
		const char *trace, *calls, *said;
		enum api api;
		bool managed;
	} rows[] = {
		{"t", NULL, "", API_CUDA, true},
		{"t", "1", "", API_CUDA, true},
		{"t", NULL, "", API_OPENCL, false},
		{NULL, NULL, "recorded only in a trace: set COMPUTE_PROFILE_TRACE, too", API_CUDA,
		 false},
	};

	(void)state;
	setenv("COMPUTE_PROFILE", "1", 1);
	setenv("COMPUTE_PROFILE_MANAGED", "1", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		unsetenv("COMPUTE_PROFILE_TRACE");
		unsetenv("COMPUTE_PROFILE_API");
		if (rows[i].trace)
			setenv("COMPUTE_PROFILE_TRACE", rows[i].trace, 1);
		if (rows[i].calls)
			setenv("COMPUTE_PROFILE_API", rows[i].calls, 1);
		listen_now();
		settings_load(&settings, rows[i].api);
		assert_non_null(strstr(hear(), rows[i].said));
		assert_int_equal(settings.managed, rows[i].managed);
		assert_int_equal(settings.api_calls, rows[i].managed);
		assert_int_equal(settings.unkept, *rows[i].said ? KEPT_MANAGED : 0);
		settings_free(&settings);
	}
}

/* Totals contain calls without a trace. */
static void test_totals(void **state)
{
	static const struct {
		const char *value, *said;
		bool totals, percentiles;
	} rows[] = {
		{"0", "", false, false},
		{"1", "", true, false},
		{"percentiles", "", true, true},
		{"yes", "COMPUTE_PROFILE_TOTALS must be 1, percentiles or 0, not 'yes'", false,
		 false},
	};

	(void)state;
	setenv("COMPUTE_PROFILE", "1", 1);
	setenv("COMPUTE_PROFILE_API", "1", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		setenv("COMPUTE_PROFILE_TOTALS", rows[i].value, 1);
		listen_now();
		settings_load(&settings, API_CUDA);
		assert_non_null(strstr(hear(), rows[i].said));
		assert_int_equal(settings.totals, rows[i].totals);
		assert_int_equal(settings.totals_percentiles, rows[i].percentiles);
		assert_int_equal(settings.api_calls, rows[i].totals);
		settings_free(&settings);
	}
}

static void test_trace_from(void **state)
{
	static const struct {
		const char *value, *said;
		bool ranges;
	} rows[] = {
		{"start", "", false},
		{"ranges", "", true},
		{"ranges:a%p.cptrace", "", true},
		{"ranges:b.cptrace", "", false},
		{"end",
		 "COMPUTE_PROFILE_TRACE_FROM must be start, ranges or ranges:TRACE, not 'end'",
		 false},
	};

	(void)state;
	setenv("COMPUTE_PROFILE", "1", 1);
	setenv("COMPUTE_PROFILE_TRACE", "a%p.cptrace", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		setenv("COMPUTE_PROFILE_TRACE_FROM", rows[i].value, 1);
		listen_now();
		settings_load(&settings, API_OPENCL);
		assert_non_null(strstr(hear(), rows[i].said));
		assert_int_equal(settings.trace_from_ranges, rows[i].ranges);
		settings_free(&settings);
	}
}

static struct settings *with_trace(void)
{
	struct settings *traced = new_settings(API_OPENCL, "log");

	traced->trace = strdup("trace");
	return traced;
}

/* It increases by one with each record and only then, so the records of a call are consecutive. It
 * does not exist if nothing can be recorded. */
static void newest(void)
{
	uint64_t before, after;
	int status = 0;

	start(with_trace());
	before = probe_last_correlation();
	launch(1, 0, FAKE_DONE);
	called(clock_monotonic(), 2, before + 1);
	launch(1, 1, FAKE_DONE);
	after = probe_last_correlation();
	if (!before || after != before + 2 || probe_last_correlation() != after)
		_exit(1);
	if (!fork()) {
		globals.ended = true;
		_exit(probe_last_correlation() ? 3 : 0);
	}
	if (wait(&status) < 0 || status)
		_exit(4);
	called(clock_monotonic(), 1, after);
	if (probe_last_correlation() != after)
		_exit(2);
	session_stop();
	session_end();
}

static void test_newest(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(newest), 0);
	assert_int_equal(read_calls("trace", &rows, 3), 0);
	assert_int_equal(rows.count, 2);
	free(rows.seen);
	assert_int_equal(read_trace("trace", &rows, 2), 0);
	assert_int_equal(rows.count, 2);
	free(rows.seen);
	assert_int_equal(read_rows("log", &rows, 2), 0);
	assert_int_equal(rows.count, 2);
	free(rows.seen);
}

enum { CALLS = 50000 };

/* No command: the calls are in the trace, and the log has no row. */
static void calls_alone(void)
{
	start(with_trace());
	for (uint32_t i = 0; i < CALLS; i++)
		called(clock_monotonic(), i, 0);
	session_stop();
	session_end();
}

static void test_calls_alone(void **state)
{
	struct rows rows;

	(void)state;
	assert_int_equal(run(calls_alone), 0);
	assert_int_equal(read_calls("trace", &rows, CALLS), 0);
	assert_int_equal(wrong_counts(&rows, 0, CALLS), 0);
	free(rows.seen);
	assert_int_equal(read_rows("log", &rows, 1), 0);
	assert_int_equal(rows.count, 0);
	free(rows.seen);
}

/* Ten calls and a kernel, a range if `ranges`, then ten calls and a kernel again. */
static void from_ranges_of(bool ranges)
{
	struct settings *traced = with_trace();

	traced->trace_from_ranges = true;
	start(traced);
	for (uint32_t i = 0; i < 10; i++)
		called(clock_monotonic(), i, 0);
	launch(1, 0, FAKE_DONE);
	if (ranges)
		start_range();
	for (uint32_t i = 10; i < 20; i++)
		called(clock_monotonic(), i, 0);
	launch(1, 1, FAKE_DONE);
	session_stop();
	session_end();
}

static void no_ranges(void)
{
	from_ranges_of(false);
}

static void from_ranges(void)
{
	from_ranges_of(true);
}

/* The trace has no call before the first range, and no record that was complete before. Without a
 * range there is no file. */
static void test_from_ranges(void **state)
{
	struct rows rows;
	size_t size;

	(void)state;
	assert_int_equal(run(no_ranges), 0);
	assert_int_equal(access("trace", F_OK), -1);
	free(read_file("said", &size));
	assert_int_equal(size, 0);
	assert_int_equal(unlink("log"), 0);
	assert_int_equal(run(from_ranges), 0);
	assert_int_equal(read_calls("trace", &rows, 20), 0);
	assert_int_equal(rows.count, 10);
	assert_int_equal(wrong_counts(&rows, 10, 20), 0);
	free(rows.seen);
	assert_int_equal(read_trace("trace", &rows, 2), 0);
	assert_int_equal(rows.seen[1], 1);
	free(rows.seen);
	assert_int_equal(read_rows("log", &rows, 2), 0);
	assert_int_equal(rows.count, 2);
	free(rows.seen);
}

/* The trace cannot be written: each call is reported as missing, and no row is lost from a log. */
static void calls_nowhere(void)
{
	struct settings *nowhere = new_settings(API_OPENCL, "log");

	nowhere->trace = strdup("nowhere/trace");
	start(nowhere);
	for (uint32_t i = 0; i < 3; i++)
		called(clock_monotonic(), i, 0);
	launch(1, 0, FAKE_DONE);
	session_stop();
	session_end();
}

static void test_calls_nowhere(void **state)
{
	size_t size;
	char *said;

	(void)state;
	assert_int_equal(run(calls_nowhere), 0);
	said = read_file("said", &size);
	assert_non_null(strstr(said, " 1 record is missing in the trace"));
	assert_non_null(strstr(said, " 3 calls and other events are missing in the trace"));
	assert_null(strstr(said, "lost"));
	free(said);
}

/* This kind, or the next one that is not reserved; FRAME_KINDS after the last. */
static uint32_t next_kind(uint32_t kind)
{
	while (kind < FRAME_KINDS && !frames_is_event(&(struct frame){.kind = (uint16_t)kind}))
		kind++;
	return kind;
}

/* One event of each kind, with every byte after the common members filled in. */
static void all_kinds(void)
{
	struct ring *ring;
	uint64_t head;

	start(with_trace());
	called(1, 1, 0);
	ring = &globals.session->rings[0]->ring;
	for (uint32_t kind = FRAME_CALL; kind < FRAME_KINDS; kind = next_kind(kind + 1)) {
		struct probe probe;
		struct timed *slot;
		uint32_t size = frames_fixed_size(kind);

		probe_begin(&probe);
		head = atomic_load(&ring->head);
		slot = probe_event(&probe, kind);
		if (!slot || slot->frame.size != size)
			_exit(1);
		memset((char *)slot + offsetof(struct record, leave), (int)kind,
		       size - offsetof(struct record, leave));
		((struct call *)(void *)slot)->api = API_OPENCL;
		probe_commit();
		if (atomic_load(&ring->head) != head + size)
			_exit(2);
		probe_end(&probe);
	}
	session_stop();
	session_end();
}

static void test_all_kinds(void **state)
{
	struct strbuf error = STRBUF_INIT;
	struct trace_reader *reader;
	const struct frame *frame;
	uint32_t kind = FRAME_CALL;

	(void)state;
	assert_int_equal(run(all_kinds), 0);
	reader = trace_open("trace", &error);
	assert_non_null(reader);
	assert_int_equal(trace_next_frame(reader, &frame, &error), 1); /* the first call */
	for (; trace_next_frame(reader, &frame, &error) == 1; kind++) {
		const char *at = (const void *)frame;

		kind = next_kind(kind);
		assert_int_equal(frame->kind, kind);
		assert_int_equal(frame->size, frames_fixed_size(kind));
		for (size_t i = offsetof(struct record, leave); i < frame->size; i++)
			if (i - offsetof(struct call, api) > 1)
				assert_int_equal(at[i], kind);
	}
	assert_int_equal(next_kind(kind), FRAME_KINDS);
	trace_close(reader);
	strbuf_free(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_option, clear, clear),
		cmocka_unit_test_setup_teardown(test_needs_a_trace, clear, clear),
		cmocka_unit_test_setup_teardown(test_managed, clear, clear),
		cmocka_unit_test_setup_teardown(test_totals, clear, clear),
		cmocka_unit_test_setup_teardown(test_trace_from, clear, clear),
		cmocka_unit_test_setup_teardown(test_newest, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_calls_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_from_ranges, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_calls_nowhere, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_all_kinds, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

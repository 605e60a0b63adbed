/* SPDX-License-Identifier: MIT */
/* A trace with NVTX's ranges is read once. */
#include "rangetrace.h"

#include "view/view.h"

static const struct tables_options options = {.wanted = 1u << TABLE_SUMMARY |
							1u << TABLE_API_SUMMARY,
					    .notes = true};

/* The file is opened once: it may be removed or replaced while it is read. */
static void test_replaced(void **state)
{
	struct strbuf error = STRBUF_INIT;
	struct made_trace trace, other;
	struct record record = made_record(FRAME_KERNEL, 0, 100);
	struct stream *stream;
	char *text, *expected;

	(void)state;
	make_some(&trace);
	make_some(&other);
	expected = behind_of(made_open(&trace), &options, 0, &error);
	assert_ptr_equal(strstr(expected, NVTX FIRST FIRST_GPU FIRST_CALLS), expected);
	stream = made_open(&trace);
	assert_int_equal(unlink("trace"), 0);
	text = behind_of(stream, &options, 0, &error);
	assert_string_equal(text, expected);
	free(text);
	stream = made_open(&trace);
	record.frame.thread = MAIN;
	record.enter = 310;
	record.leave = 320;
	made_put(&other, record);
	assert_int_equal(unlink("trace"), 0);
	stream_close(made_open(&other));
	text = behind_of(stream, &options, 0, &error);
	assert_string_equal(text, expected);
	free(text);
	free(expected);
	strbuf_free(&error);
	made_free(&trace);
	made_free(&other);
}

/* More calls than memory has room for wait in a file. Without space for it there are no tables, but
 * only ranges need it. */
static void test_spilled(void **state)
{
	struct strbuf error = STRBUF_INIT;
	struct made_trace trace, plain;
	struct stream *stream;
	char *text;

	(void)state;
	make_some(&trace);
	made_begin(&plain);
	for (uint64_t i = 0; i < 5000; i++) {
		put_call(&trace, "cuMany", MAIN, 310 + i % 9, 320 + i % 9);
		put_call(&plain, "cuMany", MAIN, 310 + i % 9, 320 + i % 9);
	}
	setenv("COMPUTEPROF_TEST_SORT_BUDGET", "65536", 1);
	text = behind_of(made_open(&trace), &options, 0, &error);
	assert_non_null(strstr(text, "50.000us      5000      10ns      10ns      10ns  cuMany\n"));
	free(text);
	setenv("TMPDIR", "/nonexistent", 1);
	stream = made_open(&trace);
	assert_int_equal(tables_print(stdout, stream, &options, &error), -1);
	stream_close(stream);
	assert_non_null(strstr(strbuf_text(&error), "in /nonexistent: No such file"));
	error.length = 0;
	text = behind_of(made_open(&plain), &options, 0, &error);
	free(text);
	unsetenv("COMPUTEPROF_TEST_SORT_BUDGET");
	unsetenv("TMPDIR");
	strbuf_free(&error);
	made_free(&trace);
	made_free(&plain);
}

/* What comes before it is in the ranges, and nothing else is; it is said once. */
static void test_damage(void **state)
{
	struct strbuf error = STRBUF_INIT;
	struct made_trace trace;
	struct stream *stream;
	char *text;

	(void)state;
	make_some(&trace);
	put_call(&trace, "cuLaunchKernel", MAIN, 310, 320);
	((struct call *)(void *)(trace.bytes.data + trace.bytes.length - sizeof(struct call)))
		->frame.size = 12;
	text = behind_of(made_open(&trace), &options, -1, &error);
	assert_ptr_equal(strstr(text, NVTX FIRST FIRST_GPU FIRST_CALLS), text);
	assert_null(strchr(strbuf_text(&error), '\n'));
	free(text);
	error.length = 0;
	stream = made_open(&trace);
	stream_end_at_damage(stream, "target");
	text = behind_of(stream, &options, 0, &error);
	assert_ptr_equal(strstr(text, NVTX FIRST FIRST_GPU FIRST_CALLS), text);
	free(text);
	strbuf_free(&error);
	made_free(&trace);
}

/* nvprof's databases do not have the starting thread of a range that is on no stack. */
static void test_database(void **state)
{
	struct strbuf error = STRBUF_INIT;
	struct made_trace trace;
	struct stream *stream;
	char *text;
	int result;

	(void)state;
	make_some(&trace);
	stream = made_open(&trace);
	result = view_write(view_find("t.sqlite"), "t.sqlite", stream, &error);
	stream_close(stream);
	made_free(&trace);
	if (result && strstr(strbuf_text(&error), "without SQLite")) {
		strbuf_free(&error);
		skip();
	}
	assert_int_equal(result, 0);
	text = behind_of(stream_open("t.sqlite", &error), &options, 0, &error);
	assert_ptr_equal(strstr(text, NVTX THREAD(0) DOMAIN("solver") RANGE("solve")), text);
	assert_non_null(strstr(text, "\n\n" FIRST FIRST_GPU FIRST_CALLS RANGE("load")));
	assert_non_null(strstr(text, "\n\n" LAST NO_KERNELS "      API calls:  100.00%"));
	free(text);
	strbuf_free(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_replaced, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_spilled, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_database, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

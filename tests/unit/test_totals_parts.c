/* SPDX-License-Identifier: MIT */
/* Running totals: ranges from another trace, rows for all others, damaged rows. */
#include "rowtrace.h"

#include <unistd.h>

#include "random.h"

/* Ranges are taken from another trace, in which the same names have other ids. */
static void test_ranges(void **state)
{
	struct tables_options options = {.wanted = BOTH_SUMMARIES, .notes = true};
	struct made_trace other = {.bytes = STRBUF_INIT};
	char *wanted, *got;

	(void)state;
	make_some(&other);
	write_to("ranges", &other.bytes);
	made_begin(&trace);
	made_name(&trace, "a name more", 11);
	made_free(&trace);
	make_some(&trace);
	rows_of(&rows, &trace);
	write_both();
	wanted = table_of("trace", NULL, &options);
	got = table_of("rows", "ranges", &options);
	assert_non_null(strstr(got, NVTX FIRST FIRST_GPU FIRST_CALLS));
	assert_string_equal(got, wanted);
	free(wanted);
	free(got);
	wanted = json_of("trace", NULL);
	got = json_of("rows", "ranges");
	assert_non_null(strstr(got, "{\"name\": \"step\", "));
	assert_string_equal(strstr(got, "\"ranges\": ["), strstr(wanted, "\"ranges\": ["));
	free(wanted);
	free(got);
	made_free(&other);
}

/* The trace with the ranges is missing or incomplete. */
static void test_missing_ranges(void **state)
{
	struct tables_options options = {.wanted = BOTH_SUMMARIES};
	struct made_trace other = {.bytes = STRBUF_INIT};
	char *text;

	(void)state;
	make_some(&trace);
	rows_of(&rows, &trace);
	write_both();
	text = table_of("rows", NULL, &options);
	assert_non_null(strstr(text, "Warning: 8 NVTX ranges are in no table: their trace is "
				     "missing.\n"));
	assert_null(strstr(text, "NVTX result"));
	free(text);
	options.no_ranges = "the disk is full";
	text = table_of("rows", NULL, &options);
	assert_non_null(
		strstr(text, "Warning: 8 NVTX ranges are in no table: the disk is full.\n"));
	free(text);
	text = json_of("rows", NULL);
	assert_non_null(strstr(text, "\"ranges\": null,\n \"events\": {\"marks\": "));
	assert_non_null(strstr(text, "\"unfinished_ranges\": null"));
	free(text);
	text = table_of("rows", "none.cptrace", &options);
	assert_non_null(strstr(text, "Warning: the totals of NVTX ranges are missing: cannot open "
				     "none.cptrace: No such file or directory.\n"));
	free(text);
	make_some(&other);
	frames_put_lost(&other.bytes, 4, 0, 0);
	write_to("ranges", &other.bytes);
	text = table_of("rows", "ranges", &options);
	assert_non_null(strstr(text, "Warning: the totals of NVTX ranges are incomplete: 4 "
				     "records, calls and other events in them are lost.\n"));
	assert_non_null(strstr(text, NVTX FIRST FIRST_GPU FIRST_CALLS));
	free(text);
	made_free(&other);
	make_some(&other);
	frames_put_lost(&other.bytes, 1, 0, 0);
	write_to("ranges", &other.bytes);
	text = table_of("rows", "ranges", &options);
	assert_non_null(strstr(text, "incomplete: 1 record, call or other event in them is "
				     "lost.\n"));
	free(text);
	assert_int_equal(
		truncate("ranges", (off_t)(other.bytes.length - sizeof(struct end_frame) - 8)), 0);
	text = table_of("rows", "ranges", &options);
	assert_non_null(strstr(text, "the totals of NVTX ranges are incomplete: the program ended "
				     "in the middle of its last record.\n"));
	free(text);
	text = json_of("rows", "ranges");
	assert_non_null(strstr(text, "\"ranges\": null"));
	free(text);
	made_free(&other);
}

/* Names beyond the size of the table, and records without a row. */
static void test_other(void **state)
{
	struct tables_options options = {.wanted = BOTH_SUMMARIES, .notes = true};
	struct totals_row kernel = {.frame.flags = TOTALS_ACTIVITY | TOTALS_OTHER,
				    .device = UINT32_MAX,
				    .api = API_CUDA};
	struct totals_row call = {.frame.flags = TOTALS_FUNCTION | TOTALS_OTHER, .api = API_CUDA};
	char *text;

	(void)state;
	made_begin(&trace);
	made_kernel(&trace, "own", 0, 100);
	rows_of(&rows, &trace);
	add_time(row_like(&rows, &kernel, true), BASE, 300);
	add_time(row_like(&rows, &kernel, true), BASE, 500);
	add_time(row_like(&rows, &call, false), 0, 1000);
	rows.process.records = 8;
	rows.process.other = 2;
	write_both();
	text = table_of("rows", NULL, &options);
	assert_string_equal(
		text,
		"======== Warning: 2 kernels and functions have no row of their own; their totals "
		"are in (other).\n"
		"======== Warning: 5 records are in no row: there was no memory for it.\n"
		"======== Profiling result:\n" HEADING
		" GPU activities:   88.89%     800ns         2     400ns     300ns     500ns  "
		"(other)\n"
		"                   11.11%     100ns         1     100ns     100ns     100ns  own\n"
		"      API calls:  100.00%  1.0000us         1  1.0000us  1.0000us  1.0000us  "
		"(other)\n"
		"======== Records: 3 in the totals, 0 without times, 0 lost, 5 in no row, 2 names "
		"in (other).\n"
		"======== Notes: none, because the recording is incomplete.\n");
	free(text);
	text = json_of("rows", NULL);
	assert_non_null(strstr(text, "\"lost_events\": 0, \"in_no_row\": 5, \"names_in_other\": 2, "
				     "\"cut_off\": false"));
	assert_non_null(strstr(text,
			       "{\"api\": \"CUDA\", \"kind\": \"kernel\", \"name\": \"(other)\", "
			       "\"count\": 2, "));
	assert_non_null(strstr(text, "{\"api\": \"CUDA\", \"name\": \"(other)\", \"count\": 1, "));
	free(text);
	options.kernels = "o";
	text = table_of("rows", NULL, &options);
	assert_null(strstr(text, "500ns"));
	assert_non_null(strstr(text, "2 names in (other), 2 excluded by options.\n"));
	free(text);
	rows.process.records = 4;
	rows.process.other = 1;
	write_both();
	options.kernels = NULL;
	text = table_of("rows", NULL, &options);
	assert_non_null(strstr(text, "Warning: 1 kernel or function has no row of its own; its "
				     "totals are in (other).\n"));
	assert_non_null(strstr(text, "Warning: 1 record is in no row: there was no memory for "
				     "it.\n"));
	assert_non_null(strstr(text, "1 in no row, 1 name in (other).\n"));
	free(text);
}

/* Rows of several threads are added. */
static void test_same_keys(void **state)
{
	struct tables_options options = {.wanted = BOTH_SUMMARIES, .extras = true};
	const struct call calls[] = {
		{.api = API_CUDA, .enter = 100, .leave = 400},
		{.api = API_CUDA, .enter = 500, .leave = 600, .result = 3},
		{.api = API_CUDA, .enter = 700, .leave = 1600, .result = 3},
	};
	struct strbuf bytes = STRBUF_INIT;
	char *text;

	(void)state;
	made_begin(&trace);
	put_catalog(&bytes);
	rows.percentiles = true;
	add_call_row(&rows, &calls[0]);
	add_call_row(&rows, &calls[1]);
	put_rows(&bytes, &rows);
	memset(&rows, 0, sizeof(rows));
	rows.percentiles = true;
	add_call_row(&rows, &calls[2]);
	put_rows(&bytes, &rows);
	write_to("rows", &bytes);
	text = table_of("rows", NULL, &options);
	assert_non_null(strstr(text, "1.3000us         3     433ns     100ns     900ns"));
	free(text);
	text = json_of("rows", NULL);
	assert_non_null(strstr(text, "\"count\": 3, \"failed\": 2, \"total_ns\": 1300"));
	free(text);
	strbuf_free(&bytes);
}

/* Rows and frames in one file: only what comes first is used, so nothing is counted twice. */
static void test_mixed(void **state)
{
	struct tables_options options = {.wanted = BOTH_SUMMARIES, .notes = true};
	struct strbuf bytes = STRBUF_INIT;
	char *wanted, *got;

	(void)state;
	make_some(&trace);
	rows_of(&rows, &trace);
	write_both();
	wanted = table_of("rows", NULL, &options);
	put_catalog(&bytes);
	put_rows(&bytes, &rows);
	put_frames(&bytes, true);
	write_to("rows", &bytes);
	got = table_of("rows", NULL, &options);
	assert_string_equal(got, wanted);
	free(got);
	free(wanted);
	wanted = table_of("trace", NULL, &options);
	bytes.length = 0;
	put_catalog(&bytes);
	put_frames(&bytes, true);
	put_rows(&bytes, &rows);
	write_to("rows", &bytes);
	got = table_of("rows", NULL, &options);
	assert_string_equal(got, wanted);
	free(got);
	free(wanted);
	strbuf_free(&bytes);
}

/* Running totals have no records: the stream of a timeline ends with an error. */
static void test_timeline(void **state)
{
	struct strbuf error = STRBUF_INIT;
	const struct frame *frame;
	struct stream *stream;

	(void)state;
	make_some(&trace);
	rows_of(&rows, &trace);
	write_both();
	stream = stream_open("rows", &error);
	assert_non_null(stream);
	assert_int_equal(stream_next_frame(stream, &frame, &error), -1);
	assert_non_null(strstr(strbuf_text(&error), "rows has running totals and no records"));
	stream_close(stream);
	strbuf_free(&error);
}

/* Random bytes among the rows: the file is reported as damaged, or a table is printed. */
static void test_hostile(void **state)
{
	struct tables_options options = {.wanted = BOTH_SUMMARIES, .notes = true, .extras = true};

	(void)state;
	make_some(&trace);
	rows_of(&rows, &trace);
	for (int round = 0; round < 300; round++) {
		struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
		struct stream *stream;
		FILE *to = fopen("/dev/null", "w");
		size_t start;

		put_catalog(&bytes);
		start = bytes.length;
		put_rows(&bytes, &rows);
		trace_finish(&bytes);
		for (int i = 0; i < 40; i++) {
			size_t at = start + next_random() % (bytes.length - start);

			bytes.data[at] = (char)(next_random() % 3 ? next_random() : 0xff);
		}
		write_bytes("rows", &bytes);
		stream = stream_open("rows", &error);
		assert_non_null(stream);
		tables_print(to, stream, &options, &error);
		stream_close(stream);
		stream = stream_open("rows", &error);
		view_json.write("out.json", stream, &error);
		stream_close(stream);
		fclose(to);
		strbuf_free(&bytes);
		strbuf_free(&error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ranges, begin, end),
		cmocka_unit_test_setup_teardown(test_missing_ranges, begin, end),
		cmocka_unit_test_setup_teardown(test_other, begin, end),
		cmocka_unit_test_setup_teardown(test_same_keys, begin, end),
		cmocka_unit_test_setup_teardown(test_mixed, begin, end),
		cmocka_unit_test_setup_teardown(test_timeline, begin, end),
		cmocka_unit_test_setup_teardown(test_hostile, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

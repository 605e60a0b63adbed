/* SPDX-License-Identifier: MIT */
/* Tables and JSON of running totals are those of a trace with the same records. */
#include "rangetrace.h"

#include <math.h>
#include <unistd.h>

#include "random.h"
#include "rowtrace.h"
#include "view/view.h"

enum { RECORDS = 4000, CALLS = 3000, ROOM = 1 << 16 };

#define BOTH_SUMMARIES (1u << TABLE_SUMMARY | 1u << TABLE_API_SUMMARY)

static const char *const kernels[] = {"_Z3addPfS_", "scale", "reduce"};
static const char *const functions[] = {"cuLaunchKernel", "cudaMemcpy", "clFinish",
					"clEnqueueReadBuffer"};

static struct made_trace trace;
static uint32_t names[3]; /* of the first three kernels */
static struct made_rows rows;

static void put_any_record(uint64_t number)
{
	static const uint16_t missing[] = {0, RECORD_UNFINISHED, RECORD_FAILED, RECORD_BAD_TIMES};
	uint64_t start = number * 40000, end = start + 15000 + next_random() % 60000;
	uint32_t kind = next_random() % 4;
	struct record record = made_record(FRAME_KERNEL, start, end);

	if (kind == 1)
		record = made_copy(start, end, next_random() % 4 ? MEMORY_HOST : MEMORY_DEVICE,
				   MEMORY_DEVICE, 100000 + next_random());
	else if (kind == 2)
		record = made_record(FRAME_FILL, start, end);
	else
		record.name = names[next_random() % 3];
	record.device = record.context = next_random() % 2;
	record.enter = start + 1500 - next_random() % 1000;
	record.leave = next_random() % 2 ? start + 1600 : end + 1500 + next_random() % 500;
	if (next_random() % 3)
		record.host_memory = HOST_MEMORY_PAGEABLE;
	if (!(next_random() % 8))
		record.known &= ~(uint32_t)KNOWN_BYTES;
	if (next_random() % 2) {
		record.known |= KNOWN_OCCUPANCY;
		record.occupancy = 0.25f;
	}
	if (!(next_random() % 50)) {
		record.known &= ~(uint32_t)KNOWN_TIMES;
		record.frame.flags = missing[next_random() % 4];
	}
	made_put(&trace, record);
}

static void put_any_event(uint64_t number)
{
	struct allocation allocation = {
		.frame = {.size = sizeof(allocation), .kind = FRAME_ALLOCATION},
		.enter = number * 1000 + 1500,
		.leave = number * 1000 + 1900,
		.address = number / 2,
		.bytes = 4096 + number / 2,
		.memory = MEMORY_KIND_DEVICE,
	};
	struct wait wait = {
		.frame = {.size = sizeof(wait), .kind = FRAME_WAIT},
		.enter = number * 100,
		.leave = number * 100 + number % 90,
		.kind = 1 + (uint16_t)(number % 2),
	};
	struct overhead overhead = {
		.frame = {.size = sizeof(overhead), .kind = FRAME_OVERHEAD},
		.enter = number * 100,
		.leave = number * 100 + 130,
		.kind = OVERHEAD_FLUSH,
	};

	/* every second one but the last twenty is the release of the one before */
	if (number % 2 && number < 280)
		allocation.frame.flags = ALLOCATION_FREED;
	else
		allocation.address = number / 2 + (number % 2 ? 1000 : 0);
	trace_put_event(&trace.bytes, &allocation.frame);
	trace_put_event(&trace.bytes, &wait.frame);
	trace_put_event(&trace.bytes, &overhead.frame);
	put_mark(&trace, 0, MAIN, number * 10, (struct mark){.name = 1});
}

/* Returns the code "not ready" for some. */
static int32_t any_result(const char *function)
{
	enum api api = strncmp(function, "cu", 2) ? API_OPENCL : API_CUDA;

	if (next_random() % 10)
		return 0;
	return next_random() % 3 ? -5 : api_row(api)->not_ready;
}

static void make(void)
{
	made_begin(&trace);
	for (int i = 0; i < 3; i++)
		names[i] = made_name(&trace, kernels[i], strlen(kernels[i]));
	for (uint64_t i = 0; i < RECORDS; i++)
		put_any_record(i);
	for (uint64_t i = 0; i < CALLS; i++) {
		const char *function = functions[next_random() % 4];

		made_call(&trace, function, i * 50000, i * 50000 + 20 + next_random() % 60000, 0, 0,
			  any_result(function));
	}
	for (uint64_t i = 0; i < 300; i++)
		put_any_event(i);
	frames_put_lost(&trace.bytes, 3, 2, 1);
	rows.percentiles = true;
	rows_of(&rows, &trace);
}

static int begin(void **state)
{
	memset(&rows, 0, sizeof(rows));
	return set_up(state);
}

static int end(void **state)
{
	made_free(&trace);
	return tear_down(state);
}

/* Appends the records and events, or all other frames but END. */
static void put_frames(struct strbuf *to, bool slots)
{
	const struct trace_header *header = (const void *)trace.bytes.data;
	const struct frame *frame;

	for (size_t at = header->header_size; at < trace.bytes.length; at += frame->size) {
		const void *bytes = trace.bytes.data + at;

		frame = bytes;
		if (frames_is_slot(frame) == slots && frame->kind != FRAME_END)
			strbuf_append(to, frame, frame->size);
	}
}

static void put_catalog(struct strbuf *to)
{
	const struct trace_header *header = (const void *)trace.bytes.data;

	strbuf_append(to, header, header->header_size);
	put_frames(to, false);
}

static void write_to(const char *path, struct strbuf *bytes)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	trace_finish(bytes);
	assert_false(bytes->failed);
	assert_int_equal(fwrite(bytes->data, 1, bytes->length, file), bytes->length);
	assert_int_equal(fclose(file), 0);
}

/* Writes the files "trace" and "rows". */
static void write_both(void)
{
	struct strbuf bytes = STRBUF_INIT;

	put_catalog(&bytes);
	put_rows(&bytes, &rows);
	write_to("rows", &bytes);
	strbuf_free(&bytes);
	write_to("trace", &trace.bytes);
}

static char *table_of(const char *path, const char *from, const struct tables_options *options)
{
	const char *const all[] = {from};
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(stream);
	stream_set_ranges(stream, all);
	assert_int_equal(tables_print(to, stream, options, &error), 0);
	fclose(to);
	stream_close(stream);
	strbuf_free(&error);
	return text;
}

static void expect_equal(const struct tables_options *options)
{
	char *wanted = table_of("trace", NULL, options), *got = table_of("rows", NULL, options);

	assert_true(strlen(wanted) > 60);
	assert_string_equal(got, wanted);
	free(wanted);
	free(got);
}

static void test_tables(void **state)
{
	struct tables_options options = {.wanted = BOTH_SUMMARIES, .notes = true, .pid = 7,
					 .ended = true};

	(void)state;
	make();
	write_both();
	expect_equal(&options);
	options.csv = true;
	options.unit = TABLES_NS;
	expect_equal(&options);
	options.wanted = 1u << TABLE_SUMMARY;
	expect_equal(&options);
	options.csv = false;
	options.wanted = 1u << TABLE_API_SUMMARY;
	expect_equal(&options);
}

/* Every note and the rest of the line of the records are of a whole recording. */
static void test_notes(void **state)
{
	struct tables_options options = {.wanted = BOTH_SUMMARIES, .notes = true};
	char *text;

	(void)state;
	made_begin(&trace);
	for (uint64_t i = 0; i < 300; i++)
		put_any_event(i);
	for (uint64_t i = 0; i < 200; i++) {
		struct record copy = made_copy(i * 40000, i * 40000 + 20000, MEMORY_HOST,
					       MEMORY_DEVICE, 100000);

		copy.host_memory = HOST_MEMORY_PAGEABLE;
		copy.enter = i * 40000 + 1500;
		copy.leave = i * 40000 + 31500;
		made_put(&trace, copy);
		made_call(&trace, "cuMemcpyHtoD_v2", i * 40000, i * 40000 + 30000, 0, 0,
			  i % 10 ? 0 : 700);
	}
	rows_of(&rows, &trace);
	write_both();
	expect_equal(&options);
	text = table_of("rows", NULL, &options);
	assert_non_null(strstr(text, "1. Nothing ran on a device for 49.9% of"));
	assert_non_null(strstr(text, "20 of 200 calls failed, most often cuMemcpyHtoD_v2 with"));
	assert_non_null(strstr(text, "in 200 calls that returned after their copy had ended"));
	assert_non_null(strstr(text, "is spent in 200 copies from or to pageable memory"));
	assert_non_null(strstr(text, "20 of 160 allocations were never released: "));
	free(text);
}

static void test_selection(void **state)
{
	struct tables_options options = {
		.wanted = BOTH_SUMMARIES, .notes = true, .kernels = "add|red", .demangle = true};
	static const uint32_t third = 3;

	(void)state;
	make();
	write_both();
	expect_equal(&options);
	options.devices = &third;
	options.device_count = 1;
	expect_equal(&options);
	options.kernels = "no such";
	expect_equal(&options);
}

/* Compares the texts; only the values of columns or members with percentiles may differ by 3.1 %. */
static void expect_near(const char *one, const char *other, bool (*is_near)(const char *before))
{
	const char *first = one;
	unsigned near = 0;

	while (*one && *other) {
		char *ends[2];
		double values[2];

		if (is_near(one > first ? one - 1 : one) && *one >= '0' && *one <= '9' &&
		    strspn(one - 1, "0123456789.") == 0) {
			values[0] = strtod(one, &ends[0]);
			values[1] = strtod(other, &ends[1]);
			assert_true(fabs(values[0] - values[1]) <= values[0] * 0.031 + 1);
			near += values[0] != values[1];
			one = ends[0];
			other = ends[1];
			continue;
		}
		assert_int_equal(*one++, *other++);
	}
	assert_int_equal(*one, *other);
	assert_true(near > 5); /* or they are those of the trace */
}

static bool is_in_percentile(const char *before)
{
	return before[0] == ' ' && !strncmp(before - 5, "_ns\":", 5) && before[-8] == 'p';
}

static char *json_of(const char *path, const char *from)
{
	const char *const all[] = {from};
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	static char text[ROOM];
	size_t size;
	FILE *file;

	assert_non_null(stream);
	stream_set_ranges(stream, all);
	assert_int_equal(view_json.write("out.json", stream, &error), 0);
	stream_close(stream);
	strbuf_free(&error);
	file = fopen("out.json", "r");
	assert_non_null(file);
	size = fread(text, 1, ROOM - 1, file);
	text[size] = '\0';
	fclose(file);
	return strdup(text);
}

static void test_json(void **state)
{
	char *wanted, *got;

	(void)state;
	make();
	write_both();
	wanted = json_of("trace", NULL);
	got = json_of("rows", NULL);
	assert_non_null(strstr(got, "\"left_allocations\": 20,"));
	expect_near(wanted, got, is_in_percentile);
	free(wanted);
	free(got);
}

/* The columns p50, p95 and p99 of CSV. */
static void test_percentile_columns(void **state)
{
	struct tables_options options = {
		.wanted = BOTH_SUMMARIES, .csv = true, .unit = TABLES_NS, .extras = true};
	char *texts[2], *rests[2], *lines[2];
	unsigned compared = 0;

	(void)state;
	make();
	write_both();
	texts[0] = rests[0] = table_of("trace", NULL, &options);
	texts[1] = rests[1] = table_of("rows", NULL, &options);
	while ((lines[0] = strsep(&rests[0], "\n")) && (lines[1] = strsep(&rests[1], "\n"))) {
		char *fields[2];

		for (int i = 0; (fields[0] = strsep(&lines[0], ",")); i++) {
			fields[1] = strsep(&lines[1], ",");
			assert_non_null(fields[1]);
			if (i < 7 || i > 9 || !strtod(fields[0], NULL)) {
				assert_string_equal(fields[0], fields[1]);
				continue;
			}
			assert_true(fabs(strtod(fields[0], NULL) - strtod(fields[1], NULL)) <=
				    0.031 * strtod(fields[0], NULL) + 1);
			compared++;
		}
	}
	assert_int_equal(compared, 3 * (6 + 4 + 2 + 4)); /* kernels, copies, fills, functions */
	free(texts[0]);
	free(texts[1]);
}

/* Without buckets there are no percentiles. */
static void test_no_percentiles(void **state)
{
	struct tables_options options = {.wanted = 1u << TABLE_API_SUMMARY, .extras = true};
	char *text;

	(void)state;
	made_begin(&trace);
	made_call(&trace, "cuInit", 100, 400, 0, 0, 0);
	rows_of(&rows, &trace);
	write_both();
	text = table_of("rows", NULL, &options);
	assert_non_null(strstr(text, "300ns     300ns         -         -         -  ####"));
	free(text);
	text = json_of("rows", NULL);
	assert_non_null(strstr(text, "\"max_ns\": 300, \"avg_ns\": 300, \"p50_ns\": null, "
				     "\"p95_ns\": null, \"p99_ns\": null}"));
	free(text);
}

/* Ranges are those of another trace, which has other numbers for the same names. */
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

/* Without their trace, or with a part of it. */
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
	assert_non_null(strstr(text, "Warning: 8 NVTX ranges are in no table: the disk is full.\n"));
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
	assert_int_equal(truncate("ranges", (off_t)other.bytes.length - 40), 0);
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
	struct totals_row kernel = {
		.frame.flags = TOTALS_ACTIVITY | TOTALS_OTHER, .record_kind = FRAME_KERNEL};
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
		"======== Records: 3 in the totals, 0 without times, 0 lost, 5 in no row, 2 names in "
		"(other).\n"
		"======== Notes: none, because the recording is incomplete.\n");
	free(text);
	text = json_of("rows", NULL);
	assert_non_null(strstr(text, "\"lost_events\": 0, \"in_no_row\": 5, \"names_in_other\": 2, "
				     "\"cut_off\": false"));
	assert_non_null(strstr(text, "\"kind\": \"kernel\", \"name\": \"(other)\", \"count\": 2, "));
	assert_non_null(strstr(text, "{\"api\": \"CUDA\", \"name\": \"(other)\", \"count\": 1, "));
	free(text);
	options.kernels = "o";
	text = table_of("rows", NULL, &options);
	assert_null(strstr(text, "500ns"));
	assert_non_null(strstr(text, "2 names in (other), 2 excluded by options.\n"));
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

/* What comes first counts: nothing is counted twice. */
static void test_mixed(void **state)
{
	struct tables_options options = {.wanted = BOTH_SUMMARIES, .notes = true};
	struct strbuf bytes = STRBUF_INIT;
	char *wanted, *got;

	(void)state;
	make();
	write_both();
	wanted = table_of("trace", NULL, &options);
	put_catalog(&bytes);
	put_rows(&bytes, &rows);
	put_frames(&bytes, true);
	write_to("rows", &bytes);
	got = table_of("rows", NULL, &options);
	assert_string_equal(got, wanted);
	free(got);
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

/* Other outputs have no rows. */
static void test_timeline(void **state)
{
	struct strbuf error = STRBUF_INIT;
	const struct frame *frame;
	struct stream *stream;

	(void)state;
	make();
	write_both();
	stream = stream_open("rows", &error);
	assert_non_null(stream);
	assert_int_equal(stream_next_frame(stream, &frame, &error), 0);
	stream_close(stream);
}

/* Any bytes: the file is damaged, or something is printed. */
static void test_hostile(void **state)
{
	struct tables_options options = {.wanted = BOTH_SUMMARIES, .notes = true, .extras = true};

	(void)state;
	make();
	for (int round = 0; round < 300; round++) {
		struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
		struct stream *stream;
		FILE *to = fopen("/dev/null", "w");
		size_t start;

		put_catalog(&bytes);
		start = bytes.length;
		put_rows(&bytes, &rows);
		for (int i = 0; i < 40; i++) {
			size_t at = start + next_random() % (bytes.length - start);

			bytes.data[at] = (char)(next_random() % 3 ? next_random() : 0xff);
		}
		write_to("rows", &bytes);
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
		cmocka_unit_test_setup_teardown(test_tables, begin, end),
		cmocka_unit_test_setup_teardown(test_notes, begin, end),
		cmocka_unit_test_setup_teardown(test_selection, begin, end),
		cmocka_unit_test_setup_teardown(test_json, begin, end),
		cmocka_unit_test_setup_teardown(test_percentile_columns, begin, end),
		cmocka_unit_test_setup_teardown(test_no_percentiles, begin, end),
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

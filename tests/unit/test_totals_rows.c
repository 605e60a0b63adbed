/* SPDX-License-Identifier: MIT */
/* Tables and JSON of running totals are those of a trace with the same records. */
#include <math.h>

#include "random.h"
#include "rowtrace.h"

enum { RECORDS = 4000, CALLS = 3000 };

static const char *const kernels[] = {"_Z3addPfS_", "scale", "reduce"};
static const char *const functions[] = {"cuLaunchKernel", "cudaMemcpy", "clFinish",
					"clEnqueueReadBuffer"};

static uint32_t names[3]; /* of `kernels` */

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

/* Compares the texts; only percentiles may differ, by 3 %. */
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
			assert_true(fabs(values[0] - values[1]) <= values[0] * 0.03);
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
				    0.03 * strtod(fields[0], NULL));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_tables, begin, end),
		cmocka_unit_test_setup_teardown(test_notes, begin, end),
		cmocka_unit_test_setup_teardown(test_selection, begin, end),
		cmocka_unit_test_setup_teardown(test_json, begin, end),
		cmocka_unit_test_setup_teardown(test_percentile_columns, begin, end),
		cmocka_unit_test_setup_teardown(test_no_percentiles, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The messages around the tables: missing records, notes, reasons for an empty table. */
#include "tabletrace.h"

#include "tableprint.h"

#define SUMMARY (1u << TABLE_SUMMARY)
#define RESULT	"======== Profiling result:\n"

static void test_nothing(void **state)
{
	struct tables_options options = {.wanted = SUMMARY, .csv = true};
	struct record record = made_record(FRAME_KERNEL, 0, 0);
	struct made_trace trace;

	(void)state;
	made_begin(&trace);
	expect_lines(&trace, &options,
		     "======== Warning: the program launched no kernel, copy or fill while it was "
		     "profiled, or a [filter] left all out.\n"
		     RESULT "No kernels were profiled.\n",
		     true);
	options.cut = true;
	expect_lines(&trace, &options,
		     "======== Warning: a process of this run could not write to a file (a limit "
		     "on file sizes or open files, as of 'ulimit', a sandbox, or a full disk): "
		     "records may be missing, and no warning has their number.\n" RESULT
		     "No kernels were profiled.\n",
		     true);
	options.cut = false;
	options.running = true;
	expect_lines(&trace, &options,
		     "======== Warning: the process still runs: what it records from now on is "
		     "missing.\n" RESULT "No kernels were profiled.\n",
		     true);
	options.running = false;
	frames_put_lost(&trace.bytes, 5, 0, 0);
	expect_lines(&trace, &options,
		     "======== Warning: 5 records are lost.\n"
		     "======== Warning: all records are lost.\n" RESULT
		     "No kernels were profiled.\n",
		     true);
	record.known = 0;
	record.frame.flags = RECORD_UNFINISHED;
	made_put(&trace, record);
	record.frame.flags = RECORD_FAILED;
	made_put(&trace, record);
	expect_lines(&trace, &options,
		     "======== Warning: 5 records are lost.\n"
		     "======== Warning: 2 records have no times and are left out: 1 unfinished, or "
		     "with times not read yet, when the program ended, 1 failed.\n"
		     "======== Warning: no record has times.\n" RESULT
		     "No kernels were profiled.\n",
		     true);
	options.devices = (const uint32_t[]){4};
	options.device_count = 1;
	expect_lines(&trace, &options,
		     "======== Warning: 5 records are lost.\n"
		     "======== Warning: none of the 2 records matches --kernels and "
		     "--devices.\n" RESULT "No kernels were profiled.\n",
		     true);
	made_free(&trace);
}

/* Each note at its limit, and just below. */
static void test_findings(void **state)
{
	struct tables_options options = {.wanted = SUMMARY, .notes = true};
	struct made_trace trace;
	struct record hot = made_record(FRAME_KERNEL, 400000, 1400000);

	(void)state;
	made_begin(&trace);
	for (uint64_t i = 0; i < 100; i++) {
		struct record copy = made_copy(i * 4000 + 1000, i * 4000 + 4000, MEMORY_HOST,
					       MEMORY_DEVICE, 4096);

		copy.host_memory = HOST_MEMORY_PAGEABLE;
		made_kernel(&trace, "short", i * 4000, i * 4000 + 1000);
		made_put(&trace, copy);
	}
	expect_lines(
		&trace, &options,
		"======== Records: 200 in the totals, 0 without times, 0 lost.\n"
		"======== Notes:\n"
		"======== 1. Half of the 100 kernels take about 1.0040us or less, about the cost "
		"of a launch. Next: do more work in each kernel, or launch many at once (a graph, "
		"a command buffer).\n"
		"======== 2. Half of the 100 copies have about 4.0312KB or less. Next: combine "
		"them on the host, and copy more at a time.\n"
		"======== 3. 100.0% of the time of copies is spent in 100 copies from or to "
		"pageable memory. Next: page-lock the memory (cudaMallocHost, "
		"CL_MEM_ALLOC_HOST_PTR).\n",
		false);
	hot.name = made_name(&trace, "hot", 3);
	hot.known |= KNOWN_OCCUPANCY;
	hot.occupancy = 0.25f;
	made_put(&trace, hot);
	hot.started += 2000000;
	hot.ended += 2000000;
	made_put(&trace, hot);
	options.kernels = "hot";
	options.devices = (const uint32_t[]){0};
	options.device_count = 1;
	expect_lines(
		&trace, &options,
		"======== Records: 102 in the totals, 0 without times, 0 lost, 100 excluded by "
		"options.\n"
		"======== Notes:\n"
		"======== 1. Nothing ran on a device for 29.4% of the 3.4000ms from the first "
		"start to the last end. Next: find the gaps in the GPU trace, and the work of the "
		"host in them.\n"
		"======== 2. Half of the 100 copies have about 4.0312KB or less. Next: combine "
		"them on the host, and copy more at a time.\n"
		"======== 3. 100.0% of the time of copies is spent in 100 copies from or to "
		"pageable memory. Next: page-lock the memory (cudaMallocHost, "
		"CL_MEM_ALLOC_HOST_PTR).\n"
		"======== 4. The kernel with the most time, hot, has an occupancy of 25.0%. Next: "
		"check its block size, registers and shared memory in the GPU trace.\n",
		false);
	made_free(&trace);
}

static void test_extras(void **state)
{
	struct tables_options options = {
		.wanted = SUMMARY, .extras = true, .width = 130, .notes = true};
	struct made_trace trace;

	(void)state;
	made_begin(&trace);
	for (uint64_t i = 0; i < 4; i++)
		made_kernel(&trace, "a_name_that_is_too_long_for_it", 100 * i, 100 * i + 30 * i);
	made_kernel(&trace, "b", 100, 160);
	expect_lines(
		&trace, &options,
		RESULT
		"            Type  Time(%)      Time     Calls       Avg       Min       Max       "
		"p50       p95       p99  Share                 Name\n"
		" GPU activities:   75.00%     180ns         4      45ns       0ns      90ns      "
		"30ns      90ns      90ns  ###############       a_name_...for_it\n"
		"                   25.00%      60ns         1      60ns      60ns      60ns      "
		"60ns      60ns      60ns  #####                 b\n"
		"======== Records: 5 in the totals, 0 without times, 0 lost.\n"
		"======== Notes:\n"
		"======== 1. Nothing ran on a device for 46.2% of the 390ns from the first start "
		"to the last end. Next: find the gaps in the GPU trace, and the work of the host "
		"in them.\n",
		true);
	made_free(&trace);
}

/* Everything before the damage is printed. */
/* Work that was not recorded may have run. */
static void test_gaps(void **state)
{
	struct tables_options options = {.wanted = SUMMARY, .width = 130, .notes = true};
	struct made_trace trace;
	struct lost_frame *losses;

	(void)state;
	made_begin(&trace);
	made_kernel(&trace, "a", 0, 100);
	made_kernel(&trace, "a", 900, 1000);
	expect_lines(&trace, &options,
		     "======== Records: 2 in the totals, 0 without times, 0 lost.\n"
		     "======== Notes:\n"
		     "======== 1. Nothing ran on a device for 80.0% of the 1.0000us "
		     "from the first start to the last end. Next: find the gaps in the GPU trace, "
		     "and the work of the host in them.\n",
		     false);
	losses = frames_put_lost(&trace.bytes, 0, 0, 0);
	assert_non_null(losses);
	losses->gaps = 1;
	expect_lines(&trace, &options,
		     "======== Records: 2 in the totals, 0 without times, 0 lost.\n", false);
	made_free(&trace);
}

static void test_damaged(void **state)
{
	struct tables_options options = {.wanted = SUMMARY | 1u << TABLE_GPU_TRACE, .notes = true};
	struct strbuf error = STRBUF_INIT;
	struct made_trace trace;
	struct stream *stream;
	FILE *to = fopen("printed", "w+");
	char text[4096];

	(void)state;
	made_begin(&trace);
	made_kernel(&trace, "k", 0, 1000);
	made_kernel(&trace, "k", 0, 1000);
	((struct record *)(void *)(trace.bytes.data + trace.bytes.length - sizeof(struct record)))
		->frame.size = 12;
	stream = made_open(&trace);
	assert_int_equal(tables_print(to, stream, &options, &error), -1);
	assert_true(error.length);
	rewind(to);
	text[fread(text, 1, sizeof(text) - 1, to)] = '\0';
	assert_non_null(strstr(text, "Records: 1 in the totals"));
	assert_non_null(strstr(text, "k [1]\n"));
	fclose(to);
	stream_close(stream);
	strbuf_free(&error);
	made_free(&trace);
}

static void test_bad_patterns(void **state)
{
	static const char *const patterns[] = {"(", "(a*)*"};
	struct made_trace trace;

	(void)state;
	made_begin(&trace);
	made_kernel(&trace, "k", 0, 1000);
	for (int i = 0; i < 2; i++) {
		struct tables_options options = {
			.wanted = SUMMARY, .kernels = patterns[i], .notes = true};
		struct strbuf error = STRBUF_INIT;
		struct stream *stream = made_open(&trace);

		assert_int_equal(tables_print(stderr, stream, &options, &error), -1);
		assert_true(error.length > 0);
		stream_close(stream);
		strbuf_free(&error);
	}
	made_free(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_findings, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_extras, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_gaps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bad_patterns, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

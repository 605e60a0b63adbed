/* SPDX-License-Identifier: MIT */
/* NVTX's ranges after the summary. */
#include "rangetrace.h"

#include "tableprint.h"

#include <time.h>

#define GPU (1u << TABLE_SUMMARY)
#define API (1u << TABLE_API_SUMMARY)

/* clang-format off */
static const char whole[] =
	NVTX FIRST FIRST_GPU FIRST_CALLS
	RANGE("load")
	"          Range:  100.00%     150ns         1     150ns     150ns     150ns  load\n"
	" GPU activities:  100.00%     500ns         1     500ns     500ns     500ns  init\n"
	"      API calls:  100.00%      50ns         1      50ns      50ns      50ns  "
	"cuLaunchKernel\n\n"
	DOMAIN("solver") RANGE("solve")
	"          Range:  100.00%     950ns         1     950ns     950ns     950ns  solve\n"
	" GPU activities:   76.92%  1.0000us         1  1.0000us  1.0000us  1.0000us  k\n"
	"                   23.08%     300ns         1     300ns     300ns     300ns  "
	"[OpenCL memcpy HtoD]\n"
	"      API calls:   66.67%      40ns         1      40ns      40ns      40ns  "
	"cuLaunchKernel\n"
	"                   33.33%      20ns         1      20ns      20ns      20ns  cuMemFree\n\n"
	RANGE("load")
	"          Range:  100.00%     700ns         1     700ns     700ns     700ns  load\n"
	" GPU activities:  100.00%  1.0000us         1  1.0000us  1.0000us  1.0000us  k\n"
	"      API calls:  100.00%      40ns         1      40ns      40ns      40ns  "
	"cuLaunchKernel\n\n"
	THREAD(20) DOMAIN("<unnamed>") RANGE("step")
	"          Range:  100.00%     100ns         1     100ns     100ns     100ns  step\n"
	" GPU activities:  100.00%  2.0000us         1  2.0000us  2.0000us  2.0000us  k\n"
	"      API calls:  100.00%      20ns         1      20ns      20ns      20ns  "
	"cuLaunchKernel\n\n"
	RANGE("idle")
	"          Range:  100.00%     100ns         1     100ns     100ns     100ns  idle\n"
	NO_KERNELS NO_CALLS "\n"
	LAST NO_KERNELS
	"      API calls:  100.00%  1.9000us         1  1.9000us  1.9000us  1.9000us  "
	"cuCtxSynchronize\n\n";

static const char of_init[] =
	NVTX FIRST
	" GPU activities:   62.50%     500ns         1     500ns     500ns     500ns  init\n"
	"                   37.50%     300ns         1     300ns     300ns     300ns  "
	"[OpenCL memcpy HtoD]\n\n"
	RANGE("load");

static const char of_device[] =
	NVTX FIRST
	" GPU activities:  100.00%     500ns         1     500ns     500ns     500ns  init\n"
	FIRST_CALLS;

static const char empty_ones[] =
	NVTX THREAD(10) DOMAIN("<unnamed>")
	RANGE("unknown")
	"          Range:  100.00%      10ns         1      10ns      10ns      10ns  unknown\n"
	NO_KERNELS NO_CALLS "\n"
	RANGE("empty")
	"          Range:    0.00%       0ns         1       0ns       0ns       0ns  empty\n"
	NO_KERNELS NO_CALLS "\n";

static const char csv[] =
	NVTX THREAD(10) DOMAIN("<unnamed>")
	"========       Range \"step\"\n"
	"\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
	",%,ns,,ns,ns,ns,\n"
	"\"Range:\",100.000000,1200.000000,2,600.000000,300.000000,900.000000,\"step\"\n"
	"\"GPU activities\",55.555556,1000.000000,1,1000.000000,1000.000000,1000.000000,\"k\"\n"
	"\"GPU activities\",27.777778,500.000000,1,500.000000,500.000000,500.000000,\"init\"\n"
	"\"GPU activities\",16.666667,300.000000,1,300.000000,300.000000,300.000000,"
	"\"[OpenCL memcpy HtoD]\"\n"
	"\"API calls\",81.818182,90.000000,2,45.000000,40.000000,50.000000,\"cuLaunchKernel\"\n"
	"\"API calls\",18.181818,20.000000,1,20.000000,20.000000,20.000000,\"cuMemFree\"\n"
	"\n"
	"========       Range \"load\"\n";

static const char csv_idle[] =
	"\"Range:\",100.000000,100.000000,1,100.000000,100.000000,100.000000,\"idle\"\n"
	NO_KERNELS NO_CALLS "\n";

static const char csv_percentiles[] =
	"\"Range:\",100.000000,1200.000000,2,600.000000,300.000000,900.000000,"
	"302.000000,900.000000,900.000000,\"step\"\n"
	"\"API calls\",81.818182,90.000000,2,45.000000,40.000000,50.000000,"
	"40.000000,50.000000,50.000000,\"cuLaunchKernel\"\n";
/* clang-format on */

static void expect_ranges(struct made_trace *trace, const struct tables_options *options,
			  const char *expected)
{
	char *text = behind(trace, options);

	assert_string_equal(text, expected);
	free(text);
}

static void expect_part(struct made_trace *trace, const struct tables_options *options,
			const char *expected)
{
	char *text = behind(trace, options);

	if (!strstr(text, expected))
		assert_string_equal(text, expected);
	free(text);
}

static void test_text(void **state)
{
	struct tables_options options = {.wanted = GPU | API};
	struct made_trace trace;

	(void)state;
	make_some(&trace);
	expect_ranges(&trace, &options, whole);
	made_free(&trace);
}

/* Only the requested rows, and only of these kernels and devices; all calls are counted. */
static void test_wanted(void **state)
{
	struct tables_options options = {.wanted = GPU, .kernels = "^init$"};
	struct made_trace trace;

	(void)state;
	make_some(&trace);
	expect_part(&trace, &options, of_init);
	options.devices = (const uint32_t[]){0};
	options.device_count = 1;
	options.wanted = GPU | API;
	expect_part(&trace, &options, of_device);
	options.wanted = API;
	expect_part(&trace, &options, NVTX FIRST FIRST_CALLS RANGE("load"));
	options.wanted = 1u << TABLE_GPU_TRACE | 1u << TABLE_API_TRACE;
	expect_ranges(&trace, &options, "");
	made_free(&trace);
}

static void test_csv(void **state)
{
	struct tables_options options = {.wanted = GPU | API, .csv = true, .unit = TABLES_NS};
	struct made_trace trace;

	(void)state;
	make_some(&trace);
	expect_part(&trace, &options, csv);
	expect_part(&trace, &options, csv_idle);
	options.extras = true;
	options.wanted = API;
	expect_part(&trace, &options, csv_percentiles);
	made_free(&trace);
}

/* Only ranges: one of no length, and one without a text and an end. */
static void test_only_ranges(void **state)
{
	struct tables_options options = {.wanted = GPU | API};
	const struct range empty = {"empty", NULL, MAIN, 70, 70, 0};
	struct made_trace trace;

	(void)state;
	made_begin(&trace);
	put_start(&trace, 2, &empty);
	put_end(&trace, 2, &empty);
	put_mark(&trace, MARK_START, MAIN, 60, (struct mark){.id = 3});
	expect_ranges(&trace, &options, empty_ones);
	made_free(&trace);
}

static void test_no_range(void **state)
{
	struct tables_options options = {.wanted = GPU | API};
	const struct range unbegun = {"unbegun", NULL, MAIN, 70, 70, 0};
	struct made_trace trace;

	(void)state;
	made_begin(&trace);
	put_mark(&trace, 0, MAIN, 50, (struct mark){.name = 0});
	put_end(&trace, 1, &unbegun);
	put_call(&trace, "cuMemFree", MAIN, 60, 70);
	expect_ranges(&trace, &options, "");
	made_free(&trace);
}

/* Returns the processor time for the tables of MANY calls inside `texts` open ranges. */
static double time_of_calls(unsigned texts)
{
	enum { MANY = 60000 };
	struct tables_options options = {.wanted = API, .csv = true, .unit = TABLES_NS};
	struct made_trace trace;
	char name[32], *text;
	const char *at;
	clock_t before;

	made_begin(&trace);
	for (unsigned i = 0; i < texts; i++) {
		int length = snprintf(name, sizeof(name), "text %u", i);
		uint32_t id = made_name(&trace, name, (size_t)length);

		put_mark(&trace, MARK_START, MAIN, 10 + i, (struct mark){.id = i + 1, .name = id});
	}
	for (unsigned i = 0; i < MANY; i++)
		put_call(&trace, "cuMemFree", MAIN, 5000 + 10 * i, 5004 + 10 * i);
	before = clock();
	text = printed(&trace, &options, 0);
	before = clock() - before;
	snprintf(name, sizeof(name), ",%u,%u.000000,", MANY, 4);
	at = text;
	for (unsigned i = 0; i < texts; i++) {
		at = strstr(at, name);
		assert_non_null(at++);
	}
	free(text);
	made_free(&trace);
	return (double)before / CLOCKS_PER_SEC;
}

/* A call is not added to each range separately, which took 100 times as long. */
static void test_many_open(void **state)
{
	double one = time_of_calls(1), many = time_of_calls(1000);

	(void)state;
	print_message("1 range: %.3f s, 1000 ranges: %.3f s\n", one, many);
	assert_true(many < 10 * one + 0.3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_text, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_wanted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_csv, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_only_ranges, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_range, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_open, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

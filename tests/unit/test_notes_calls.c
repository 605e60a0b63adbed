/* SPDX-License-Identifier: MIT */
/* Notes that are based on the program's own calls. */
#include "tabletrace.h"

#include "tableprint.h"

#define SUMMARY (1u << TABLE_SUMMARY)
#define RESULT	"======== Profiling result:\n"

/* A device that is never idle, and calls of 10 us: building takes `build` ns, clFinish 4 us, a copy
 * that returns at its end `copy` ns. */
static void make_calls(struct made_trace *trace, uint64_t build, uint64_t copy, int failed)
{
	struct record waited = made_copy(6000, 6000 + copy, MEMORY_DEVICE, MEMORY_HOST, 1 << 20);
	struct record queued = made_copy(8000, 8600, MEMORY_DEVICE, MEMORY_HOST, 1 << 20);

	made_begin(trace);
	made_kernel(trace, "k", 0, 10000);
	waited.enter = 1500 + 6000;
	waited.leave = waited.enter + copy;
	made_put(trace, waited);
	queued.enter = 1500 + 7000;
	queued.leave = 1500 + 7001;
	made_put(trace, queued);
	made_call(trace, "clBuildProgram", 0, build, 0, 0, 0);
	made_call(trace, "clFinish", 2000, 5000, 0, 0, 0);
	made_call(trace, "clWaitForEvents", 5000, 6000, 0, 0, 0);
	made_call(trace, "clEnqueueReadBuffer", 6000, 6000 + copy, 2, 1, 0);
	made_call(trace, "clEnqueueReadBuffer", 7000, 7001, 3, 1, 0);
	made_call(trace, "clCreateKernel", 7001, 14001 - build - copy - 1001, 0, 0, 0);
	for (int i = 0; i < failed; i++)
		made_call(trace, i % 3 ? "clSetKernelArg" : "clCreateImage", 0, 0, 0, 0,
			  i % 3 ? -51 : INT32_MIN);
}

static void test_calls(void **state)
{
	struct tables_options options = {.wanted = SUMMARY | 1u << TABLE_API_SUMMARY,
					 .notes = true};
	struct made_trace trace;

	(void)state;
	make_calls(&trace, 2000, 1000, 10);
	expect_lines(
		&trace, &options,
		"======== Records: 3 in the totals, 0 without times, 0 lost.\n"
		"======== Notes:\n"
		"======== 1. 10 of 16 calls failed, most often clSetKernelArg with error -51: 6 "
		"times. Next: check the result of this call in the program, and look at the calls "
		"before it in the API trace.\n"
		"======== 2. 20.0% of the time in API calls, 2.0000us, is spent building programs. "
		"Next: save the binaries (CL_PROGRAM_BINARIES, or the cubin of cuLinkComplete), "
		"and load them in the next run.\n"
		"======== 3. 50.0% of the time in API calls, 5.0000us, is spent waiting for the "
		"device: 4.0000us in calls that only wait, 1.0000us in 1 call that returned after "
		"their copy had ended. Next: let the host work meanwhile, wait once for many "
		"commands, and copy without blocking.\n",
		false);
	/* A call much later: the share of the others becomes small. */
	made_call(&trace, "clReleaseContext", 110000, 110001, 0, 0, 0);
	options.wanted = SUMMARY;
	expect_lines(
		&trace, &options,
		"======== Records: 3 in the totals, 0 without times, 0 lost.\n"
		"======== Notes:\n"
		"======== 1. 10 of 17 calls failed, most often clSetKernelArg with error -51: 6 "
		"times. Next: check the result of this call in the program, and look at the calls "
		"before it in the API trace.\n",
		false);
	made_free(&trace);
	make_calls(&trace, 1999, 999, 9);
	expect_lines(&trace, &options,
		     "======== Records: 3 in the totals, 0 without times, 0 lost.\n", false);
	/* Without an error code, and without a command. */
	made_free(&trace);
	made_begin(&trace);
	for (int i = 0; i < 10; i++)
		made_call(&trace, "clCreate\x1bX", 0, 1, 0, 0, INT32_MIN);
	options.wanted = 1u << TABLE_API_SUMMARY;
	expect_lines(
		&trace, &options,
		RESULT
		"            Type  Time(%)      Time     Calls       Avg       Min       Max  "
		"Name\n"
		"      API calls:  100.00%      10ns        10       1ns       1ns       1ns  "
		"clCreate\\x1bX\n"
		"======== Notes:\n"
		"======== 1. 10 of 10 calls failed, most often clCreate\\x1bX, which gave no error "
		"code: 10 times. Next: check the result of this call in the program, and look at "
		"the calls before it in the API trace.\n",
		true);
	/* "Not ready" is not a failure. */
	made_free(&trace);
	made_begin(&trace);
	for (int i = 0; i < 10; i++)
		made_call(&trace, "cudaEventQuery", 0, 1, 0, 0, 600);
	expect_lines(
		&trace, &options,
		RESULT
		"            Type  Time(%)      Time     Calls       Avg       Min       Max  "
		"Name\n"
		"      API calls:  100.00%      10ns        10       1ns       1ns       1ns  "
		"cudaEventQuery\n",
		true);
	made_free(&trace);
}

/* The first five of those that apply. */
static void test_at_most_five(void **state)
{
	struct tables_options options = {.wanted = SUMMARY, .notes = true};
	struct made_trace trace;
	char *text;

	(void)state;
	make_calls(&trace, 2000, 1000, 10);
	for (uint64_t i = 0; i < 100; i++) {
		struct record copy =
			made_copy(20000 + i * 400, 20200 + i * 400, MEMORY_HOST, MEMORY_DEVICE, 4);

		copy.host_memory = HOST_MEMORY_PAGEABLE;
		made_put(&trace, copy);
		made_kernel(&trace, "k", 20000 + i * 400, 20100 + i * 400);
	}
	text = printed(&trace, &options, 0);
	assert_non_null(strstr(text, "======== 1. Nothing ran on a device"));
	assert_non_null(strstr(text, "======== 2. 10 of 16 calls failed"));
	assert_non_null(strstr(text, "======== 5. Half of the 101 kernels"));
	assert_null(strstr(text, "======== 6. "));
	free(text);
	made_free(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_at_most_five, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

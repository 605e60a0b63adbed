/* SPDX-License-Identifier: MIT */
/* The program's own calls in tables. */
#include "tabletrace.h"

#include "tableprint.h"

#include "view/view.h"

#define GPU	  (1u << TABLE_SUMMARY)
#define API	  (1u << TABLE_API_SUMMARY)
#define API_TRACE (1u << TABLE_API_TRACE)
#define RESULT	  "======== Profiling result:\n"
#define HEADING                                                                                    \
	"            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
#define CSV_HEAD  "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
#define TRACE_CSV "\"Start\",\"Duration\",\"Name\",\"Correlation_ID\"\n"
#define NO_CALLS                                                                                   \
	"======== Warning: there are no API calls; only traces that are recorded with "            \
	"COMPUTE_PROFILE_API=1 have them.\n"                                                       \
	RESULT "No API activities were profiled.\n"

enum { RING = 40 /* lowest bit of the ring's number in a correlation */ };

static void put_as(struct made_trace *trace, struct record record, uint64_t correlation)
{
	record.frame.correlation = correlation;
	trace_put_record(&trace->bytes, &record);
}

static struct record kernel_of(struct made_trace *trace, const char *name, uint64_t start,
			       uint64_t end)
{
	struct record record = made_record(FRAME_KERNEL, start, end);

	record.name = made_name(trace, name, strlen(name));
	record.device = OPENCL_DEVICE;
	return record;
}

/* Two threads; calls before and after their records: one with two records, the first of which is
 * missing, one whose record is missing, one that takes no time. The names are hostile. */
static void make_some(struct made_trace *trace)
{
	made_begin(trace);
	made_call(trace, "clEnqueueNDRangeKernel", 2000, 2600, (2ull << RING) + 1, 1, 0);
	put_as(trace, made_copy(3000, 3400, MEMORY_HOST, MEMORY_DEVICE, 64), (1ull << RING) + 7);
	put_as(trace, kernel_of(trace, "late\x1b\"k", 5000, 6000), (2ull << RING) + 1);
	put_as(trace, kernel_of(trace, "graph", 7000, 8000), (1ull << RING) + 9);
	made_call(trace, "clEnqueueCommandBufferKHR", 6500, 6600, (1ull << RING) + 8, 2, 0);
	made_call(trace, "clEnqueueWriteBuffer", 2500, 3500, (1ull << RING) + 7, 1, 0);
	made_call(trace, "clFinish", 8000, 10000, 0, 0, 0);
	made_call(trace, "clFinish", 1000, 900, 0, 0, -36);
	made_call(trace, "clEnqueueCopyBuffer", 1000, 1100, (1ull << RING) + 6, 1, 0);
}

static void test_summary(void **state)
{
	struct tables_options options = {.wanted = GPU | API};
	struct made_trace trace;
	char *text;

	(void)state;
	make_some(&trace);
	text = printed(&trace, &options, 0);
	assert_non_null(strstr(
		text,
		"                   16.67%     400ns         1     400ns     400ns     400ns  "
		"[CUDA memcpy HtoD]\n"
		"      API calls:   52.63%  2.0000us         2  1.0000us       0ns  2.0000us  "
		"clFinish\n"
		"                   26.32%  1.0000us         1  1.0000us  1.0000us  1.0000us  "
		"clEnqueueWriteBuffer\n"
		"                   15.79%     600ns         1     600ns     600ns     600ns  "
		"clEnqueueNDRangeKernel\n"));
	assert_ptr_equal(strstr(text, HEADING), text + strlen(RESULT));
	assert_null(strstr(text + strlen(RESULT HEADING), HEADING));
	free(text);
	made_free(&trace);
}

static void test_summary_csv(void **state)
{
	struct tables_options options = {
		.wanted = GPU | API, .csv = true, .kernels = "^late", .unit = TABLES_US};
	struct made_trace trace;

	(void)state;
	make_some(&trace);
#define API_ROWS                                                                                   \
	"\"API calls\",52.631579,2.000000,2,1.000000,0.000000,2.000000,\"clFinish\"\n"             \
	"\"API calls\",26.315789,1.000000,1,1.000000,1.000000,1.000000,"                           \
	"\"clEnqueueWriteBuffer\"\n"                                                               \
	"\"API calls\",15.789474,0.600000,1,0.600000,0.600000,0.600000,"                           \
	"\"clEnqueueNDRangeKernel\"\n"                                                             \
	"\"API calls\",2.631579,0.100000,1,0.100000,0.100000,0.100000,"                            \
	"\"clEnqueueCommandBufferKHR\"\n"                                                          \
	"\"API calls\",2.631579,0.100000,1,0.100000,0.100000,0.100000,\"clEnqueueCopyBuffer\"\n"
	expect_text(&trace, &options,
		    RESULT CSV_HEAD ",%,us,,us,us,us,\n"
				    "\"GPU activities\",71.428571,1.000000,1,1.000000,1.000000,"
				    "1.000000,\"late\\x1b\"\"k\"\n"
				    "\"GPU activities\",28.571429,0.400000,1,0.400000,0.400000,"
				    "0.400000,\"[CUDA memcpy HtoD]\"\n" API_ROWS);
	options.wanted = API;
	expect_text(&trace, &options, RESULT CSV_HEAD ",%,us,,us,us,us,\n" API_ROWS);
	options.wanted = GPU;
	options.devices = (const uint32_t[]){0};
	options.device_count = 1;
	expect_text(&trace, &options,
		    RESULT CSV_HEAD
		    ",%,us,,us,us,us,\n"
		    "\"GPU activities\",100.000000,0.400000,1,0.400000,0.400000,0.400000,"
		    "\"[CUDA memcpy HtoD]\"\n");
	made_free(&trace);
}

/* A call has the number of its first record, or one after those of the three records. */
static void test_trace(void **state)
{
	struct tables_options options = {.wanted = API_TRACE};
	struct made_trace trace;

	(void)state;
	make_some(&trace);
	expect_text(&trace, &options,
		    RESULT "   Start  Duration  Name\n"
			   "     0ns     100ns  clEnqueueCopyBuffer\n"
			   "     0ns       0ns  clFinish\n"
			   "1.0000us     600ns  clEnqueueNDRangeKernel (late\\x1b\"k [2])\n"
			   "1.5000us  1.0000us  clEnqueueWriteBuffer\n"
			   "5.5000us     100ns  clEnqueueCommandBufferKHR (graph [3])\n"
			   "7.0000us  2.0000us  clFinish\n");
	options.csv = true;
	expect_text(&trace, &options,
		    RESULT TRACE_CSV
		    "us,us,,\n"
		    "0.000000,0.100000,\"clEnqueueCopyBuffer\",4\n"
		    "0.000000,0.000000,\"clFinish\",5\n"
		    "1.000000,0.600000,\"clEnqueueNDRangeKernel (late\\x1b\"\"k [2])\",2\n"
		    "1.500000,1.000000,\"clEnqueueWriteBuffer\",1\n"
		    "5.500000,0.100000,\"clEnqueueCommandBufferKHR (graph [3])\",3\n"
		    "7.000000,2.000000,\"clFinish\",6\n");
	/* on a terminal; from the start of the process, a microsecond before BASE */
	options = (struct tables_options){.wanted = API_TRACE, .pid = 9, .width = 52};
	expect_text(&trace, &options,
		    "==9== Profiling result:\n   Start  Duration  Name\n"
		    "2.0000us     100ns  clEnqueueCopyBuffer\n"
		    "2.0000us       0ns  clFinish\n"
		    "3.0000us     600ns  clEnqueueNDRangeKernel (lat...\"k [2])\n"
		    "3.5000us  1.0000us  clEnqueueWriteBuffer\n"
		    "7.5000us     100ns  clEnqueueCommandBufferKHR (graph [3])\n"
		    "9.0000us  2.0000us  clFinish\n");
	made_free(&trace);
}

/* Both traces count their times from the same moment, and the numbers are the same. */
static void test_both_traces(void **state)
{
	struct tables_options options = {
		.wanted = API_TRACE | 1u << TABLE_GPU_TRACE, .csv = true, .unit = TABLES_NS};
	struct made_trace trace;
	char *text;

	(void)state;
	make_some(&trace);
	text = printed(&trace, &options, 0);
	assert_non_null(strstr(text, "\n4000.000000,1000.000000,"));
	assert_non_null(strstr(text, "\"late\\x1b\"\"k [2]\",2\n"));
	assert_non_null(strstr(text, "\"[CUDA memcpy HtoD]\",1\n"));
	assert_non_null(strstr(text, "\n1000.000000,600.000000,\"clEnqueueNDRangeKernel (late"));
	free(text);
	made_free(&trace);
}

static void test_no_calls(void **state)
{
	struct tables_options options = {.wanted = API};
	struct made_trace trace;

	(void)state;
	made_begin(&trace);
	made_kernel(&trace, "k", 0, 1000);
	expect_text(&trace, &options, NO_CALLS);
	options.csv = true;
	expect_text(&trace, &options, NO_CALLS);
	options.wanted = API_TRACE;
	expect_text(&trace, &options, NO_CALLS);
	options = (struct tables_options){.wanted = GPU | API, .unit = TABLES_NS, .notes = true};
	expect_text(&trace, &options,
		    RESULT HEADING
		    " GPU activities:  100.00%    1000ns         1    1000ns    1000ns    1000ns  "
		    "k\n"
		    "======== Records: 1 in the totals, 0 without times, 0 lost.\n");
	made_free(&trace);
}

/* Without commands; the calls are shown nevertheless. */
static void test_only_calls(void **state)
{
	struct tables_options options = {.wanted = GPU | API, .csv = true};
	struct made_trace trace;

	(void)state;
	made_begin(&trace);
	made_call(&trace, "clFinish", 0, 10, 0, 0, 0);
	expect_text(&trace, &options,
		    "======== Warning: the program launched no kernel, copy or fill while it was "
		    "profiled, or a [filter] left all out.\n" RESULT
		    "No kernels were profiled.\n" CSV_HEAD
		    ",%,ns,,ns,ns,ns,\n"
		    "\"API calls\",100.000000,10.000000,1,10.000000,10.000000,10.000000,"
		    "\"clFinish\"\n");
	made_free(&trace);
}

/* The correlations of a database, which are those of its trace, are shown unchanged. */
static void test_database(void **state)
{
	struct tables_options options = {
		.wanted = 1u << TABLE_GPU_TRACE, .csv = true, .kernels = "late"};
	struct strbuf error = STRBUF_INIT;
	struct made_trace trace;
	struct stream *stream;
	char *text = NULL;
	size_t size;
	FILE *to;
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
	stream = stream_open("t.sqlite", &error);
	assert_non_null(stream);
	to = open_memstream(&text, &size);
	assert_int_equal(tables_print(to, stream, &options, &error), 0);
	fclose(to);
	assert_non_null(strstr(text, "\"late\\x1b\"\"k [2]\",2\n"));
	assert_non_null(strstr(text, "\"[CUDA memcpy HtoD]\",1\n"));
	free(text);
	stream_close(stream);
	strbuf_free(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_summary, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_summary_csv, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_both_traces, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_only_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_database, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

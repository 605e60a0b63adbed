/* SPDX-License-Identifier: MIT */
#include "viewfile.h"

#include "view/sqlite/cuptiname.h"

/* The program's calls as read from databases of computeprof and of nvprof. */

#define ALL   "CUPTI_ACTIVITY_KIND_"
#define FIRST (UINT64_C(1) << 40)

enum { NAME_LAUNCH = NAME_COUNT + 1, NAME_FINISH, NONE = 1 << 30 };

static void assert_name(const char *expected, bool driver, uint32_t number)
{
	struct strbuf name = STRBUF_INIT;

	cuptiname_put(&name, driver, number);
	assert_string_equal(strbuf_text(&name), expected);
	strbuf_free(&name);
}

static void test_names(void **state)
{
	(void)state;
	assert_name("cudaDriverGetVersion", false, 1);
	assert_name("cudaMemcpyAsync", false, 41);
	assert_name("cudaLaunchKernel", false, 211);
	assert_name("cudaStreamGetCaptureInfo_ptsz", false, 410);
	assert_name("cuInit", true, 1);
	assert_name("cuMemAlloc", true, 243);
	assert_name("cuMemcpyHtoD_ptds", true, 397);
	assert_name("cuLaunchKernel", true, 307);
	assert_name("runtime_function_0", false, 0);
	assert_name("runtime_function_4294967295", false, UINT32_MAX);
	assert_name("driver_function_100000", true, 100000);
}

/* Returns the rest of the stream as text: "function(made+records)=result@enter-leave/thread
 * #number", or "kind correlation", with "!" if the record's call is unknown. */
static const char *frames_of(struct stream *stream, struct strbuf *to)
{
	struct strbuf error = STRBUF_INIT;
	const struct frame *frame;

	to->length = 0;
	while (stream_next_frame(stream, &frame, &error) > 0) {
		const struct call *call = (const void *)frame;
		const struct names *names = stream_catalog(stream)->names;

		if (frame->kind == FRAME_CALL)
			strbuf_printf(to, "%s(%llu+%d)=%d@%llu-%llu/%u #%u %s\n",
				      names_text(names, call->name, NULL),
				      (unsigned long long)call->made, call->records, call->result,
				      (unsigned long long)(call->enter % 1000000000),
				      (unsigned long long)(call->leave % 1000000000), frame->thread,
				      call->number, call->api == API_CUDA ? "CUDA" : "OpenCL");
		else
			strbuf_printf(to, "%d %lld%s\n", frame->kind, (long long)frame->correlation,
				      frame->flags & RECORD_NO_CALL ? "!" : "");
	}
	if (error.length)
		strbuf_printf(to, "%s\n", strbuf_text(&error));
	strbuf_free(&error);
	return strbuf_text(to);
}

static void assert_frames(const char *path, const char *expected)
{
	struct stream *stream = open_stream(path);
	struct strbuf text = STRBUF_INIT;

	assert_string_equal(frames_of(stream, &text), expected);
	stream_close(stream);
	strbuf_free(&text);
}

static void put_call(struct strbuf *to, uint32_t name, uint32_t made, uint32_t records, int result)
{
	struct call call = {
		.frame = {.size = sizeof(call), .kind = FRAME_CALL, .thread = 70001},
		.enter = 5000000 + made,
		.leave = 6000000 + made,
		.made = records ? FIRST + made : 0,
		.records = (uint16_t)records,
		.result = result,
		.name = name,
		.number = records ? 0 : 165,
	};

	trace_put_event(to, &call.frame);
}

static void make_calls(const char *path)
{
	struct strbuf bytes = STRBUF_INIT, error = STRBUF_INIT;
	struct names *names = names_new();

	names_set(names, NAME_LAUNCH, "clEnqueueNDRangeKernel", 22);
	names_set(names, NAME_FINISH, "cuda\nFinish", 11);
	trace_put_header(&bytes);
	put_catalog(&bytes);
	frames_put_name(&bytes, names, NAME_LAUNCH);
	frames_put_name(&bytes, names, NAME_FINISH);
	put_call(&bytes, NAME_LAUNCH, 1, 1, 0);
	for (uint32_t i = 0; i < 5; i++)
		put_record(&bytes, i);
	put_call(&bytes, NAME_LAUNCH, 3, 2, -5);
	put_call(&bytes, NAME_FINISH, 9, 0, INT32_MIN);
	put_call(&bytes, NAME_LAUNCH, 70, 1, 0);
	put_call(&bytes, 0, 80, 0, 0);
	trace_finish(&bytes);
	write_file("run.cptrace", &bytes);
	if (view_trace("run.cptrace", path, &error))
		fail_msg("%s", strbuf_text(&error));
	strbuf_free(&bytes);
	names_free(names);
}

/* A call comes directly before its records; the first of several records has its times. For records
 * whose call is not in the trace no call is returned. */
static void test_own(void **state)
{
	static const char expected[] =
		"7 1\n"
		"clEnqueueNDRangeKernel(2+1)=0@5000001-6000001/70001 #0 OpenCL\n8 2\n"
		"9 3\n"
		"clEnqueueNDRangeKernel(4+1)=-5@5000003-6000003/70001 #0 OpenCL\n7 4\n"
		"8 5!\n"
		"cuda\nFinish(0+0)=-2147483648@5000009-6000009/70001 #165 CUDA\n"
		"(0+0)=0@5000080-6000080/70001 #165 CUDA\n"
		"clEnqueueNDRangeKernel(0+0)=0@5000070-6000070/70001 #0 OpenCL\n";
	struct strbuf error = STRBUF_INIT;

	(void)state;
	make_calls("run.sqlite");
	assert_frames("run.sqlite", expected);
	assert_int_equal(view_records("run.sqlite", "again.sqlite", &error), 0);
	assert_frames("again.sqlite", expected);
}

/* stream_next returns the records only, with the same calls. */
static void test_records(void **state)
{
	struct strbuf error = STRBUF_INIT;
	static const uint32_t threads[] = {70000, 70001, 70000, 70001, 0};
	const struct record *record;
	struct stream *stream;

	(void)state;
	make_calls("run.sqlite");
	stream = open_stream("run.sqlite");
	for (uint32_t i = 1; i <= 5; i++) {
		assert_int_equal(stream_next(stream, &record, &error), 1);
		assert_int_equal(record->frame.correlation, i);
		assert_int_not_equal(record->frame.kind, FRAME_CALL);
		assert_int_equal(record->frame.thread, threads[i - 1]);
	}
	assert_int_equal(stream_next(stream, &record, &error), 0);
	assert_true(stream_is_numbered(stream));
	assert_false(stream_numbers_calls(stream));
	stream_close(stream);
}

#define CALLS                                                                                      \
	"(_id_ INTEGER PRIMARY KEY, cbid INT, start INT, end INT, processId INT, threadId INT, "   \
	"correlationId INT, returnValue INT);"

/* A file as nvprof writes it, without indexes and in no order: a graph of two kernels and a copy, a
 * kernel of the driver API, and calls without records or with the number of another call. */
static const char theirs[] =
	"CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY, value TEXT NOT NULL);"
	"CREATE TABLE " ALL "CONCURRENT_KERNEL(_id_ INTEGER PRIMARY KEY, start INT, end INT, "
	"deviceId INT, contextId INT, streamId INT, correlationId INT, name INT);"
	"CREATE TABLE " ALL "MEMCPY(_id_ INTEGER PRIMARY KEY, copyKind INT, bytes INT, start INT, "
	"end INT, deviceId INT, contextId INT, streamId INT, correlationId INT);"
	"CREATE TABLE " ALL "RUNTIME" CALLS "CREATE TABLE " ALL "DRIVER" CALLS "INSERT INTO " ALL
	"CONCURRENT_KERNEL VALUES (1, 400, 500, 0, 1, 7, 9, 0),"
	"(2, 100, 200, 0, 1, 7, 5, 0), (3, 200, 300, 0, 1, 7, 5, 0), (4, 600, 700, 0, 1, 7, 0, 0);"
	"INSERT INTO " ALL "MEMCPY VALUES (1, 1, 64, 300, 400, 0, 1, 7, 5);"
	"INSERT INTO " ALL "RUNTIME VALUES (1, 165, 90, 99, 42, 11, 10, 0),"
	"(2, 311, 50, 60, 42, 11, 5, 0), (3, 4444, 10, 20, 42, 11, 3, 700), (4, 3, 1, 2, 42, 11, "
	"0, 0);"
	"INSERT INTO " ALL "DRIVER VALUES (1, 307, 70, 80, 42, 12, 9, 0),"
	"(2, 16, 30, 40, 42, 12, 5, 99999999999);";

static const char theirs_frames[] = "cudaGetDeviceCount(0+0)=0@1-2/11 #3 CUDA\n"
				    "7 0!\n"
				    "runtime_function_4444(0+0)=700@10-20/11 #4444 CUDA\n"
				    "cudaGraphLaunch(5+1)=0@50-60/11 #311 CUDA\n"
				    "cuCtxGetDevice(0+0)=-2147483648@30-40/12 #16 CUDA\n"
				    "7 5\n7 5!\n8 5!\n"
				    "cuLaunchKernel(9+1)=0@70-80/12 #307 CUDA\n"
				    "7 9\n"
				    "cudaDeviceSynchronize(0+0)=0@90-99/11 #165 CUDA\n";

static void test_calls_of_nvprof(void **state)
{
	struct stream *stream;

	(void)state;
	run_sql("theirs.nvprof", theirs);
	assert_frames("theirs.nvprof", theirs_frames);
	run_sql("theirs.nvprof", "CREATE INDEX k ON " ALL "CONCURRENT_KERNEL(correlationId);"
			     "CREATE INDEX d ON " ALL "DRIVER(correlationId, start)");
	assert_frames("theirs.nvprof", theirs_frames);
	stream = open_stream("theirs.nvprof");
	assert_true(stream_numbers_calls(stream));
	stream_close(stream);
}

/* A copy of such a database has each call once, with its name. */
static void test_copied(void **state)
{
	struct strbuf error = STRBUF_INIT, text = STRBUF_INIT;
	sqlite3 *database;

	(void)state;
	run_sql("theirs.nvprof", theirs);
	assert_int_equal(view_records("theirs.nvprof", "copy.sqlite", &error), 0);
	database = open_view("copy.sqlite");
	ask(database,
	    "SELECT value, cbid, start, threadId, correlationId < 1073741824, driver FROM "
	    "(SELECT *, 0 AS driver FROM " ALL "RUNTIME UNION ALL SELECT *, 1 FROM " ALL
	    "DRIVER) LEFT JOIN CP_API_NAME n USING (correlationId) LEFT JOIN StringTable s ON "
	    "s._id_ = n.name ORDER BY start",
	    &text);
	assert_string_equal(strbuf_text(&text), "cudaGetDeviceCount|3|1|11|0|0\n"
						"runtime_function_4444|4444|10|11|0|0\n"
						"cuCtxGetDevice|16|30|12|0|1\n"
						"cudaGraphLaunch|311|50|11|1|0\n"
						"cuLaunchKernel|307|70|12|1|1\n"
						"cudaDeviceSynchronize|165|90|11|0|0\n");
	sqlite3_close(database);
	strbuf_free(&text);
}

/* Numbers of all types, in no order: each row is returned once. */
static void test_strange(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct stream *stream;
	int lines = 0;

	(void)state;
	run_sql("theirs.nvprof", theirs);
	run_sql("theirs.nvprof",
	    "UPDATE " ALL "RUNTIME SET correlationId = 'x', threadId = 1e99 WHERE _id_ = 2;"
	    "UPDATE " ALL "DRIVER SET correlationId = 5.5, cbid = -1 WHERE _id_ = 1;"
	    "UPDATE " ALL "CONCURRENT_KERNEL SET correlationId = x'00' WHERE _id_ = 1;"
	    "UPDATE " ALL "MEMCPY SET correlationId = NULL;"
	    "INSERT INTO " ALL "RUNTIME(cbid, start) VALUES (NULL, 'y')");
	stream = open_stream("theirs.nvprof");
	frames_of(stream, &text);
	for (const char *at = strbuf_text(&text); (at = strchr(at, '\n')); at++)
		lines++;
	assert_int_equal(lines, 11); /* the row without a start is skipped */
	stream_close(stream);
	run_sql("theirs.nvprof", "ALTER TABLE " ALL "RUNTIME RENAME start TO begin;"
			     "ALTER TABLE " ALL "DRIVER RENAME correlationId TO number");
	assert_frames("theirs.nvprof", "driver_function_0(0+0)=0@70-80/12 #0 CUDA\n"
				       "cuCtxGetDevice(0+0)=-2147483648@30-40/12 #16 CUDA\n"
				       "7 0!\n8 0!\n7 5!\n7 5!\n7 0!\n");
	strbuf_free(&text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_names),	    TEST(test_own),    TEST(test_records),
		TEST(test_calls_of_nvprof), TEST(test_copied), TEST(test_strange),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

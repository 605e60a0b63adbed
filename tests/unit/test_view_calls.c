/* SPDX-License-Identifier: MIT */
#include "viewfile.h"

/* The program's calls in the tables of nvprof and of Nsight Systems: each once, wherever it is in
 * the trace. */

#define RUNTIME "CUPTI_ACTIVITY_KIND_RUNTIME"
#define FIRST	(INT64_C(1) << 40)

enum { NAME_LAUNCH = NAME_COUNT + 1, NAME_FINISH, NAME_UNKNOWN = 99, MANY = 70000 };

/* A part of a trace: a record with its number, or a call with the number of its first record. */
struct part {
	enum { RECORD, SILENT_RECORD, CALL } what;
	uint32_t made;
	uint32_t records;
	uint32_t name;
	int32_t result;
	uint32_t number;
};

static struct strbuf text;

static void put_part(struct strbuf *to, const struct part *part)
{
	struct record record = make_record(part->made % 9);
	struct call call = {
		.frame = {.size = sizeof(call), .kind = FRAME_CALL, .thread = 70001},
		.enter = 5000000 + part->made,
		.leave = 6000000 + part->made,
		.made = part->records ? (uint64_t)FIRST + part->made : 0,
		.records = (uint16_t)part->records,
		.result = part->result,
		.name = part->name,
		.number = part->number,
	};

	record.frame.correlation = (uint64_t)FIRST + part->made;
	record.frame.flags |= part->what == SILENT_RECORD ? RECORD_NO_CALL : 0;
	if (part->what == CALL)
		trace_put_event(to, &call.frame);
	else
		trace_put_record(to, &record);
}

static void begin(struct strbuf *bytes)
{
	struct names *names = names_new();

	names_set(names, NAME_LAUNCH, "clEnqueueNDRangeKernel", 22);
	names_set(names, NAME_FINISH, "clFin\nish", 9);
	trace_put_header(bytes);
	put_catalog(bytes);
	frames_put_name(bytes, names, NAME_LAUNCH);
	frames_put_name(bytes, names, NAME_FINISH);
	names_free(names);
}

/* Frees the bytes. */
static sqlite3 *view(struct strbuf *bytes, const char *path)
{
	struct strbuf error = STRBUF_INIT;

	trace_finish(bytes);
	write_file("run.cptrace", bytes);
	strbuf_free(bytes);
	if (view_trace("run.cptrace", path, &error))
		fail_msg("%s", strbuf_text(&error));
	return open_view(path);
}

static sqlite3 *view_parts(const struct part *parts, size_t count, const char *path)
{
	struct strbuf bytes = STRBUF_INIT;

	begin(&bytes);
	for (size_t i = 0; i < count; i++)
		put_part(&bytes, &parts[i]);
	return view(&bytes, path);
}

#define VIEW(parts, path) view_parts(parts, sizeof(parts) / sizeof((parts)[0]), path)

static void assert_rows(sqlite3 *database, const char *sql, const char *expected)
{
	assert_string_equal(ask(database, sql, &text), expected);
}

/* Checks the calls, in the order of time: name, cbid, result, correlation and, if there is a
 * record, its table. Also checks that all numbers are different, and that the file is complete. */
static void assert_calls(sqlite3 *database, const char *expected)
{
	assert_rows(database,
		    "SELECT ifnull(t.value, '-'), cbid, returnValue, r.correlationId, "
		    "CASE WHEN k._id_ THEN 'kernel' WHEN c._id_ THEN 'copy' WHEN s._id_ "
		    "THEN 'fill' ELSE '-' END FROM " RUNTIME " r "
		    "LEFT JOIN CP_API_NAME n ON n.correlationId = r.correlationId "
		    "LEFT JOIN StringTable t ON t._id_ = n.name "
		    "LEFT JOIN CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL k "
		    "ON k.correlationId = r.correlationId "
		    "LEFT JOIN CUPTI_ACTIVITY_KIND_MEMCPY c ON c.correlationId = r.correlationId "
		    "LEFT JOIN CUPTI_ACTIVITY_KIND_MEMSET s ON s.correlationId = r.correlationId "
		    "ORDER BY r.start, r.threadId, r._id_",
		    expected);
	assert_rows(database, "SELECT count(*) - count(DISTINCT correlationId) FROM " RUNTIME,
		    "0\n");
	assert_rows(database, "PRAGMA integrity_check", "ok\n");
}

static void test_places(void **state)
{
	static const struct part parts[] = {
		{CALL, .made = 0, .records = 1, .name = NAME_LAUNCH},
		{RECORD, .made = 0},
		{RECORD, .made = 1},
		{RECORD, .made = 2},
		{CALL, .made = 2, .records = 1, .name = NAME_LAUNCH, .number = 77},
		{CALL, .made = 1, .records = 1, .name = NAME_LAUNCH, .result = -5},
		{CALL, .made = 3, .name = NAME_FINISH, .result = INT32_MIN},
		{CALL, .made = 4, .name = NAME_FINISH, .number = 165},
	};
	sqlite3 *database = VIEW(parts, "run.sqlite");

	(void)state;
	assert_calls(database, "clEnqueueNDRangeKernel|211|0|1|kernel\n"
			       "clEnqueueNDRangeKernel|41|-5|2|copy\n"
			       "clEnqueueNDRangeKernel|77|0|3|fill\n"
			       "clFin\\x0aish|0|-2147483648|1073741825|-\n"
			       "clFin\\x0aish|165|0|1073741826|-\n");
	assert_rows(database, "SELECT * FROM " RUNTIME " WHERE correlationId = 1",
		    "1|211|1700000000005000000|1700000000006000000|4321|70001|1|0\n");
	assert_rows(database, "SELECT end FROM CP_PROCESS", "1700000000006000004\n");
	sqlite3_close(database);
}

/* A call has one row, with the number of its first record. */
static void test_several(void **state)
{
	static const struct part parts[] = {
		{RECORD, .made = 0},
		{RECORD, .made = 1},
		{CALL, .made = 0, .records = 3, .name = NAME_LAUNCH},
		{RECORD, .made = 2},
		{RECORD, .made = 4},
		{SILENT_RECORD, .made = 5},
		{RECORD, .made = 3},
		{CALL, .made = 3, .records = 3, .name = NAME_LAUNCH},
	};
	sqlite3 *database = VIEW(parts, "run.sqlite");

	(void)state;
	assert_calls(database, "clEnqueueNDRangeKernel|211|0|1|kernel\n"
			       "clEnqueueNDRangeKernel|211|0|6|kernel\n");
	sqlite3_close(database);
}

/* Lost and nonexistent records. */
static void test_hostile(void **state)
{
	static const struct part parts[] = {
		{RECORD, .made = 0},
		{SILENT_RECORD, .made = 1},
		{CALL, .made = 2, .records = 1, .name = NAME_LAUNCH},
		{RECORD, .made = 3},
		{CALL, .made = 3, .records = 1, .name = NAME_LAUNCH},
		{CALL, .made = 3, .records = 1, .name = NAME_FINISH},
		{CALL, .made = 5, .records = 1, .name = NAME_LAUNCH},
		{CALL, .made = 5, .records = 1, .name = NAME_FINISH},
		{RECORD, .made = 4},
		{RECORD, .made = 4},
		{CALL, .made = 4, .records = 1, .name = NAME_UNKNOWN},
		{CALL, .made = 1000000, .records = 65535, .name = 0},
		{CALL, .made = 6, .records = 65535, .name = NAME_FINISH},
	};
	sqlite3 *database = VIEW(parts, "run.sqlite");

	(void)state;
	assert_rows(database, "SELECT count(*), count(DISTINCT correlationId) FROM " RUNTIME,
		    "10|10\n");
	/* the record's own times if it has no call */
	assert_rows(database,
		    "SELECT correlationId, cbid, start - 1700000000000000000 FROM " RUNTIME
		    " WHERE start < 1700000000005000000 ORDER BY 1",
		    "1|211|1000000\n5|31|1040000\n");
	assert_rows(database,
		    "SELECT start - 1700000000005000000, correlationId < 6, value FROM " RUNTIME
		    " r JOIN CP_API_NAME n USING (correlationId) JOIN StringTable ON "
		    "StringTable._id_ = n.name WHERE n.name ORDER BY 1, 3 DESC",
		    "2|0|clEnqueueNDRangeKernel\n3|0|clFin\\x0aish\n"
		    "3|1|clEnqueueNDRangeKernel\n5|0|clFin\\x0aish\n"
		    "5|0|clEnqueueNDRangeKernel\n6|0|clFin\\x0aish\n");
	sqlite3_close(database);
}

/* More calls than wait in memory, in reverse order. */
static void test_many(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	sqlite3 *database;

	(void)state;
	begin(&bytes);
	put_part(&bytes, &(struct part){CALL, .made = MANY, .name = NAME_FINISH});
	for (uint32_t i = 0; i < MANY; i++)
		put_part(&bytes, &(struct part){RECORD, .made = i});
	for (uint32_t i = MANY; i-- > 0;)
		if (i % 1000)
			put_part(&bytes,
				 &(struct part){CALL, i, .records = 1, .name = NAME_LAUNCH});
	database = view(&bytes, "run.sqlite");
	assert_rows(database, "SELECT count(*), count(DISTINCT correlationId) FROM " RUNTIME,
		    "70001|70001\n");
	assert_rows(database,
		    "SELECT count(*), sum(start - 1700000000005000000 = correlationId - 1), "
		    "sum(cbid = CASE (correlationId - 1) % 9 % 3 WHEN 0 THEN 211 WHEN 1 THEN 31 "
		    "+ (correlationId - 1) % 9 % 2 * 10 ELSE 49 + (correlationId - 1) % 9 % 2 * 2 "
		    "END) FROM " RUNTIME " JOIN CP_API_NAME USING (correlationId) WHERE cbid > 0",
		    "69930|69930|69930\n");
	sqlite3_close(database);
}

/* A call after many records is joined to its own ones, and all rows are in launch order. */
static void test_late(void **state)
{
	struct strbuf bytes = STRBUF_INIT;
	sqlite3 *database;

	(void)state;
	begin(&bytes);
	for (uint32_t i = 0; i < MANY; i++)
		put_part(&bytes, &(struct part){RECORD, .made = i});
	put_part(&bytes, &(struct part){CALL, MANY, .records = 1, .name = NAME_LAUNCH});
	put_part(&bytes, &(struct part){RECORD, .made = MANY});
	put_part(&bytes, &(struct part){CALL, 1, .records = 1, .name = NAME_LAUNCH});
	database = view(&bytes, "run.sqlite");
	assert_rows(database, "SELECT count(*), sum(_id_ = correlationId + 1) FROM " RUNTIME,
		    "70001|70000\n");
	assert_rows(database, "SELECT correlationId FROM CP_API_NAME ORDER BY 1", "2\n70001\n");
	sqlite3_close(database);
}

static void test_nsys(void **state)
{
	static const struct part parts[] = {
		{CALL, .made = 0, .records = 1, .name = NAME_LAUNCH},
		{RECORD, .made = 0},
		{CALL, .made = 1, .name = NAME_FINISH, .result = -36},
		{RECORD, .made = 2},
	};
	sqlite3 *database = VIEW(parts, "run.nsys.sqlite");

	(void)state;
	assert_rows(database,
		    "SELECT value, start, end, returnValue, correlationId, globalTid & 0xffffff "
		    "FROM " RUNTIME " JOIN StringIds ON id = nameId ORDER BY start",
		    "cudaMemset_v3020|120000|122000|0|2|70000\n"
		    "clEnqueueNDRangeKernel|4100000|5100000|0|1|70001\n"
		    "clFin\\x0aish|4100001|5100001|-36|1073741825|70001\n");
	sqlite3_close(database);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_places), TEST(test_several), TEST(test_hostile),
		TEST(test_many),   TEST(test_late),    TEST(test_nsys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "viewfile.h"

/* The rows of records in nvprof's tables. */

#define ALL "CUPTI_ACTIVITY_KIND_"

static sqlite3 *database;
static struct strbuf text;

static int make_database(void **state)
{
	struct strbuf error = STRBUF_INIT;

	if (set_up(state))
		return -1;
	make_trace("run.cptrace");
	if (view_trace("run.cptrace", "run.nvprof", &error))
		return -1;
	database = open_view("run.nvprof");
	return 0;
}

static int drop_database(void **state)
{
	sqlite3_close(database);
	return tear_down(state);
}

static void assert_rows(const char *sql, const char *expected)
{
	assert_string_equal(ask(database, sql, &text), expected);
}

static void test_kernel(void **state)
{
	(void)state;
	assert_rows(
		"SELECT k.*, hex(cacheConfig) FROM " ALL "CONCURRENT_KERNEL k WHERE _id_ = 2",
		"2|\x12|0|43|0|0|1700000000001033200|1700000000001034209|1700000000001034209|"
		"1|2|3|4294967299|2|3|32|4|4|1024|3|0|0|4|4|2|1700000000001033000|"
		"1700000000001033100|0|0|0|0|12\n");
	assert_rows("SELECT correlationId, contextId, deviceId FROM " ALL "CONCURRENT_KERNEL",
		    "1|1|0\n4|2|1\n7|3|0\n10|1|0\n");
	assert_rows("SELECT count(*) FROM " ALL "KERNEL", "0\n");
	assert_rows("SELECT DISTINCT typeof(cacheConfig), length(cacheConfig) "
		    "FROM " ALL "CONCURRENT_KERNEL",
		    "blob|1\n");
}

static void test_transfers(void **state)
{
	(void)state;
	assert_rows("SELECT * FROM " ALL "MEMCPY",
		    "1|1|2|3|1|8589934593|1700000000001013200|1700000000001014201|0|1|1|2|0\n"
		    "2|2|3|2|0|8589934596|1700000000001043200|1700000000001044216|1|2|0|5|0\n"
		    "3|1|2|3|1|8589934599|1700000000001073200|1700000000001074249|0|3|3|8|0\n"
		    "4|2|3|2|0|8589934602|1700000000001103200|1700000000001104300|0|1|2|11|0\n");
	assert_rows("SELECT * FROM " ALL "MEMSET",
		    "1|0|8589934594|1700000000001023200|1700000000001024204|0|1|2|3|0|0\n"
		    "2|0|8589934597|1700000000001053200|1700000000001054225|1|2|1|6|1|0\n"
		    "3|0|8589934600|1700000000001083200|1700000000001084264|0|3|0|9|0|0\n");
}

/* One row for each record with a call, also for a record without times. */
static void test_calls(void **state)
{
	(void)state;
	assert_rows("SELECT group_concat(cbid), group_concat(correlationId) FROM " ALL "RUNTIME",
		    "211,41,49,211,31,51,211,41,49,211,51|1,2,3,4,5,6,7,8,9,10,12\n");
	assert_rows("SELECT * FROM " ALL "RUNTIME WHERE _id_ = 2",
		    "2|41|1700000000001010000|1700000000001012000|4321|70000|2|0\n");
	assert_rows("SELECT kind, flags, correlationId, bytes FROM CP_UNTIMED",
		    "9|3|12|8589934603\n");
}

static void test_catalog(void **state)
{
	(void)state;
	assert_rows("SELECT id, numMultiprocessors, computeCapabilityMajor, "
		    "computeCapabilityMinor, typeof(uuid), length(uuid), value FROM " ALL "DEVICE "
		    "JOIN StringTable ON StringTable._id_ = name",
		    "0|8|0|0|blob|16|A \"device\"\n1|80|7|5|blob|16|Another one\n");
	assert_rows("SELECT * FROM " ALL "CONTEXT", "1|1|0|0|0\n2|2|1|1|1\n3|3|0|0|0\n");
	assert_rows("SELECT contextId, group_concat(streamId) FROM " ALL "STREAM GROUP BY 1",
		    "1|0,1,2,3\n2|0,1,3\n3|0,2,3\n");
	/* each is number 0 of its API */
	assert_rows("SELECT * FROM CP_DEVICE", "1|0|0|0\n2|1|1|0\n");
	assert_rows("SELECT * FROM CP_CONTEXT", "1|1|0|0\n2|2|1|0\n3|3|0|1\n");
	assert_rows("SELECT processId, start, end, lost, cutOff, substr(value, 1, 12) "
		    "FROM CP_PROCESS JOIN StringTable ON StringTable._id_ = tool",
		    "4321|1700000000000900000|1700000000001112000|3|0|computeprof \n");
}

static void test_counters(void **state)
{
	(void)state;
	assert_rows("SELECT correlationId, deviceId, StringTable.value, CP_COUNTER.value "
		    "FROM CP_COUNTER JOIN StringTable ON StringTable._id_ = name",
		    "4|1|inst_executed|12345.0\n4|1|ratio|0.25\n");
	/* as in nvprof's tables: whole numbers are events, others are metrics, as a double */
	assert_rows("SELECT e.correlationId, s.value, e.value, domain FROM " ALL "EVENT e "
		    "JOIN StringTable s ON s._id_ = id",
		    "4|inst_executed|12345|0\n");
	assert_rows("SELECT m.correlationId, s.value, hex(m.value), flags FROM " ALL "METRIC m "
		    "JOIN StringTable s ON s._id_ = id",
		    "4|ratio|000000000000D03F|0\n");
}

/* The sum of the times of each name, exact to the nanosecond. */
static void test_sums(void **state)
{
	struct strbuf expected = STRBUF_INIT;
	unsigned long long sums[NAME_COUNT + 1] = {0};

	(void)state;
	for (uint32_t i = 0; i < RECORDS; i++) {
		struct record record = make_record(i);

		sums[record.name] += record.ended - record.started;
	}
	strbuf_printf(&expected, "1|%llu\n0|%llu\n", sums[NAME_PLAIN], sums[NAME_HOSTILE]);
	assert_rows("SELECT value = '_Z9matrixMulPf' AS plain, sum(end - start) "
		    "FROM " ALL "CONCURRENT_KERNEL k JOIN StringTable s ON s._id_ = k.name "
		    "GROUP BY plain ORDER BY plain DESC",
		    strbuf_text(&expected));
	strbuf_free(&expected);
}

/* The text is valid for any reader, and decoding \xNN restores the name. */
static void test_hostile_name(void **state)
{
	(void)state;
	assert_rows("SELECT value FROM StringTable WHERE value GLOB '*DROP*'",
		    "a'; DROP TABLE x;--\"\\x0a\\xff\\xfe\\x00\\x01\\x5cx41\xc3\xa9\n");
	assert_rows("SELECT count(*), count(DISTINCT value) FROM StringTable", "8|8\n");
	assert_rows("SELECT value FROM StringTable WHERE _id_ = 0", "-- null --\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_database, drop_database)
	const struct CMUnitTest tests[] = {
		TEST(test_kernel),	 TEST(test_transfers), TEST(test_calls),
		TEST(test_catalog),	 TEST(test_counters),  TEST(test_sums),
		TEST(test_hostile_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "viewfile.h"

/* The rows of records in the tables of Nsight Systems. */

static sqlite3 *database;
static struct strbuf text;

static int make_database(void **state)
{
	struct strbuf error = STRBUF_INIT;

	if (set_up(state))
		return -1;
	make_trace("run.cptrace");
	if (view_trace("run.cptrace", "run.nsys.sqlite", &error))
		return -1;
	database = open_view("run.nsys.sqlite");
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

/* Times count from the start of the process. A kernel has three names. */
static void test_kernel(void **state)
{
	(void)state;
	assert_rows("SELECT start, end, deviceId, contextId, streamId, correlationId, gridX, "
		    "blockZ, registersPerThread, staticSharedMemory, dynamicSharedMemory, "
		    "cacheConfig, (globalPid >> 24) & 0xffffff, d.value, s.value, m.value "
		    "FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds d ON d.id = demangledName "
		    "JOIN StringIds s ON s.id = shortName JOIN StringIds m ON m.id = mangledName "
		    "WHERE correlationId = 4",
		    "133200|134209|1|2|3|4|4294967299|4|43|1024|3|1|4321|"
		    "_Z9matrixMulPf|matrixMul|_Z9matrixMulPf\n");
	assert_rows("SELECT count(*), count(greenContextId), count(launchType) "
		    "FROM CUPTI_ACTIVITY_KIND_KERNEL",
		    "4|0|0\n");
}

static void test_transfers(void **state)
{
	(void)state;
	assert_rows("SELECT start, end, bytes, o.label, s.label, d.label, correlationId "
		    "FROM CUPTI_ACTIVITY_KIND_MEMCPY JOIN ENUM_CUDA_MEMCPY_OPER o ON o.id = "
		    "copyKind JOIN ENUM_CUDA_MEM_KIND s ON s.id = srcKind "
		    "JOIN ENUM_CUDA_MEM_KIND d ON d.id = dstKind LIMIT 2",
		    "113200|114201|8589934593|Host-to-Device|Pinned|Device|2\n"
		    "143200|144216|8589934596|Device-to-Host|Device|Pinned|5\n");
	assert_rows("SELECT start, end, bytes, correlationId FROM CUPTI_ACTIVITY_KIND_MEMSET "
		    "LIMIT 1",
		    "123200|124204|8589934594|3\n");
}

static void test_calls(void **state)
{
	(void)state;
	assert_rows("SELECT start, end, globalTid & 0xffffff, (globalTid >> 24) & 0xffffff, "
		    "value, correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON "
		    "StringIds.id = nameId LIMIT 3",
		    "100000|102000|70000|4321|cudaLaunchKernel_v7000|1\n"
		    "110000|112000|70000|4321|cudaMemcpyAsync_v3020|2\n"
		    "120000|122000|70000|4321|cudaMemset_v3020|3\n");
	assert_rows("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME", "11\n");
}

static void test_catalog(void **state)
{
	(void)state;
	assert_rows("SELECT vmId, id, name, smCount, cuDevice, computeMajor, computeMinor "
		    "FROM TARGET_INFO_GPU",
		    "281474976710656|0|A \"device\"|8|0||\n"
		    "281474976710656|1|Another one|80|1|7|5\n");
	assert_rows("SELECT contextId, deviceId, processId FROM TARGET_INFO_CUDA_CONTEXT_INFO",
		    "1|0|4321\n2|1|4321\n3|0|4321\n");
	assert_rows("SELECT count(*) FROM TARGET_INFO_CUDA_STREAM", "10\n");
	assert_rows("SELECT utcEpochNs, utcTime FROM TARGET_INFO_SESSION_START_TIME",
		    "1700000000000900000|2023-11-14T22:13:20\n");
	assert_rows("SELECT (globalPid >> 24) & 0xffffff, globalPid >> 48, pid FROM PROCESSES",
		    "4321|1|4321\n");
	assert_rows("SELECT StringIds.value, c.value FROM CP_COUNTER c JOIN StringIds "
		    "ON StringIds.id = name",
		    "inst_executed|12345.0\nratio|0.25\n");
	assert_rows("PRAGMA integrity_check", "ok\n");
	assert_rows("SELECT count(*) FROM sqlite_master WHERE type = 'index'", "0\n");
}

/* computeprof does not read this form. */
static void test_failing_calls(void **state)
{
	struct strbuf error = STRBUF_INIT;

	(void)state;
	assert_null(stream_open("run.nsys.sqlite", &error));
	assert_string_equal(strbuf_text(&error),
			    "run.nsys.sqlite is a database, but not one of nvprof");
	strbuf_free(&error);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_database, drop_database)
	const struct CMUnitTest tests[] = {
		TEST(test_kernel),  TEST(test_transfers),     TEST(test_calls),
		TEST(test_catalog), TEST(test_failing_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

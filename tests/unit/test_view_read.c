/* SPDX-License-Identifier: MIT */
#include <time.h>

#include "viewfile.h"

/* Databases of computeprof and of nvprof as streams of records. */

enum { MANY = 30000 };

#define ALL "CUPTI_ACTIVITY_KIND_"

static struct record next_of(struct stream *stream)
{
	struct strbuf error = STRBUF_INIT;
	const struct record *record;

	if (stream_next(stream, &record, &error) != 1)
		fail_msg("no record %s", strbuf_text(&error));
	return *record;
}

static void assert_end(struct stream *stream)
{
	struct strbuf error = STRBUF_INIT;
	const struct record *record;

	assert_int_equal(stream_next(stream, &record, &error), 0);
	assert_int_equal(stream_next(stream, &record, &error), 0);
	assert_int_equal(error.length, 0);
}

/* Returns record `i` as it is read back: host times are since the epoch, the correlation is the
 * ordinal of the record, and data without a place in the database is missing. */
static struct record expected(uint32_t i)
{
	struct record record = make_record(i);

	if (has_counters(&record))
		record.frame.size += sizeof(struct counters_block) + 2 * sizeof(double);
	record.enter += EPOCH;
	record.leave += EPOCH;
	record.frame.correlation = i + 1;
	record.handle = 0;
	if (record.frame.flags & RECORD_NO_CALL) {
		record.enter = record.leave = record.started;
		record.frame.thread = 0;
	}
	if (record.frame.kind == FRAME_KERNEL)
		return record;
	record.queued = record.submitted = record.started;
	return record;
}

/* Ids of names differ. */
static void assert_record(struct stream *stream, uint32_t i)
{
	struct record got = next_of(stream), wanted = expected(i);
	const char *text;
	size_t length;

	text = names_text(stream_catalog(stream)->names, got.name, &length);
	if (wanted.name) {
		assert_int_equal(length, name_texts[wanted.name].length);
		assert_memory_equal(text, name_texts[wanted.name].text, length);
	}
	assert_true(!wanted.name == !got.name);
	got.name = wanted.name;
	assert_int_equal(got.known, wanted.known);
	assert_memory_equal(&got, &wanted, sizeof(got));
}

static void assert_catalog(const struct catalog *catalog)
{
	assert_int_equal(catalog->process.pid, 4321);
	assert_int_equal(catalog->process.started, EPOCH + 900000);
	assert_int_equal(catalog->process.monotonic_to_epoch, 0);
	assert_int_equal(catalog->device_count, 2);
	assert_int_equal(catalog->context_count, 3);
	assert_int_equal(catalog->devices[0].api, API_OPENCL);
	assert_int_equal(catalog->devices[0].number, 0);
	assert_string_equal(catalog->devices[0].name, name_texts[NAME_OPENCL_DEVICE].text);
	assert_int_equal(catalog->devices[1].api, API_CUDA);
	assert_int_equal(catalog->devices[1].number, 0);
	assert_int_equal(catalog->devices[1].multiprocessors, 80);
	assert_int_equal(catalog->devices[1].compute_major, 7);
	assert_int_equal(catalog->devices[1].compute_minor, 5);
	assert_int_equal(catalog->contexts[1].api, API_CUDA);
	assert_int_equal(catalog->contexts[1].index, 0);
	assert_int_equal(catalog->contexts[1].device, 1);
	assert_int_equal(catalog->contexts[2].api, API_OPENCL);
	assert_int_equal(catalog->contexts[2].index, 1);
}

/* The order is that of the trace. */
static void test_round_trip(void **state)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream;

	(void)state;
	make_trace("run.cptrace");
	assert_int_equal(view_trace("run.cptrace", "run.sqlite", &error), 0);
	stream = open_stream("run.sqlite");
	assert_catalog(stream_catalog(stream));
	for (uint32_t i = 0; i < RECORDS - 1; i++)
		assert_record(stream, i);
	assert_int_equal(next_of(stream).frame.kind, FRAME_FILL);
	assert_end(stream);
	assert_int_equal(stream_lost(stream), LOST);
	assert_false(stream_is_cut_off(stream));
	stream_close(stream);
}

/* A database made from a database has the same data. */
static void test_again(void **state)
{
	static const char sql[] =
		"SELECT start, end, deviceId, contextId, streamId, gridX, value FROM " ALL
		"CONCURRENT_KERNEL k JOIN StringTable s ON s._id_ = k.name ORDER BY 1";
	struct strbuf error = STRBUF_INIT, first = STRBUF_INIT, second = STRBUF_INIT;
	sqlite3 *one, *two;

	(void)state;
	make_trace("run.cptrace");
	assert_int_equal(view_trace("run.cptrace", "run.sqlite", &error), 0);
	assert_int_equal(view_records("run.sqlite", "again.nvprof", &error), 0);
	one = open_view("run.sqlite");
	two = open_view("again.nvprof");
	assert_string_equal(ask(one, sql, &first), ask(two, sql, &second));
	assert_true(first.length > 0);
	sqlite3_close(one);
	sqlite3_close(two);
}

/* nvprof's tables as of CUDA 8, without empty tables and without indexes. */
static const char old_file[] =
	"CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL);"
	"CREATE TABLE Version(version INTEGER);"
	"CREATE TABLE " ALL "KERNEL(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, cacheConfig BLOB NOT "
	"NULL, registersPerThread INT, start INT, end INT, completed INT, deviceId INT, contextId "
	"INT, streamId INT, gridX INT, gridY INT, gridZ INT, blockX INT, blockY INT, blockZ INT, "
	"correlationId INT, name INT);"
	"CREATE TABLE " ALL "MEMCPY2(_id_ INTEGER PRIMARY KEY, copyKind INT, srcKind INT, dstKind "
	"INT, flags INT, bytes INT, start INT, end INT, deviceId INT, contextId INT, streamId INT, "
	"correlationId INT);"
	"CREATE TABLE " ALL "DRIVER(_id_ INTEGER PRIMARY KEY, cbid INT, start INT, end INT, "
	"processId INT, threadId INT, correlationId INT, returnValue INT);"
	"CREATE TABLE " ALL "DEVICE(_id_ INTEGER PRIMARY KEY, id INT, name INT, "
	"numMultiprocessors INT);"
	"INSERT INTO Version VALUES (9);"
	"INSERT INTO StringTable VALUES (1, '_Z1kv'), (2, 'Tesla K40c'), (3, 'a\\x41b');"
	"INSERT INTO " ALL "DEVICE VALUES (1, 3, 2, 15);"
	"INSERT INTO " ALL "KERNEL VALUES "
	"(1, x'12', 20, 1010, 1020, 0, 3, 1, 7, 64, 1, 1, 256, 1, 1, 5, 1),"
	"(2, x'', 20, 1030, 1040, 0, 3, 1, 7, 64, 1, 1, 256, 1, 1, 5, 3);"
	"INSERT INTO " ALL "MEMCPY2 VALUES (1, 10, 3, 3, 1, 4096, 1050, 1060, 3, 2, 8, 6),"
	"(2, 77, 3, 3, 1, 4096, 1070, 1080, 3, 2, 8, 7);"
	"INSERT INTO " ALL "DRIVER VALUES (1, 307, 1000, 1005, 99, -5, 5, 0),"
	"(2, 1, 1041, 1042, 99, 1, 6, 0);"
	"CREATE TABLE " ALL "CDP_KERNEL AS SELECT * FROM " ALL "KERNEL WHERE _id_ = 1;"
	"UPDATE " ALL "CDP_KERNEL SET start = 1032, end = 1038;";

static void check_old_kernels(struct stream *stream)
{
	const struct names *names = stream_catalog(stream)->names;
	struct record record = next_of(stream);

	assert_string_equal(names_text(names, record.name, NULL), "_Z1kv");
	assert_int_equal(record.enter, 1000);
	assert_int_equal(record.leave, 1005);
	assert_int_equal(record.frame.thread, UINT32_MAX - 4);
	assert_int_equal(record.started, 1010);
	assert_int_equal(record.ended, 1020);
	assert_int_equal(record.queued, 1010);
	assert_int_equal(record.grid[0], 64);
	assert_int_equal(record.block[0], 256);
	assert_int_equal(record.cache_requested, 2);
	assert_int_equal(record.frame.flags, 0);
	/* the next kernel of the same call; its name is not escaped */
	record = next_of(stream);
	assert_int_equal(record.frame.flags, RECORD_NO_CALL);
	assert_string_equal(names_text(names, record.name, NULL), "a\\x41b");
	/* a kernel that the first kernel launched */
	record = next_of(stream);
	assert_int_equal(record.frame.flags, RECORD_NO_CALL);
	assert_int_equal(record.started, 1032);
	assert_string_equal(names_text(names, record.name, NULL), "_Z1kv");
}

static void test_old_file(void **state)
{
	const struct catalog *catalog;
	struct stream *stream;
	struct record record;

	(void)state;
	run_sql("old.nvprof", old_file);
	stream = open_stream("old.nvprof");
	catalog = stream_catalog(stream);
	assert_int_equal(catalog->process.pid, 99);
	assert_int_equal(catalog->process.started, 1000);
	assert_string_equal(catalog->devices[0].name, "Tesla K40c");
	assert_int_equal(catalog->devices[0].number, 3);
	check_old_kernels(stream);
	record = next_of(stream);
	assert_int_equal(record.frame.kind, FRAME_COPY);
	assert_int_equal(record.direction, DIRECTION_DEVICE);
	assert_int_equal(record.source, MEMORY_PEER);
	assert_int_equal(record.target, MEMORY_PEER);
	assert_int_equal(record.bytes, 4096);
	assert_int_equal(record.enter, 1041);
	assert_int_equal(catalog->contexts[record.context].index, 1);
	record = next_of(stream); /* of an unknown kind */
	assert_int_equal(record.source, UINT8_MAX);
	assert_int_equal(record.target, UINT8_MAX);
	assert_false(record.known & KNOWN_DIRECTION);
	assert_end(stream);
	stream_close(stream);
}

/* Returns the processor time for reading MANY kernels with different names. */
static double read_names(const char *path, const char *strings)
{
	struct strbuf sql = STRBUF_INIT;
	struct stream *stream;
	clock_t start;

	strbuf_printf(&sql,
		      "CREATE TABLE %s; CREATE TABLE " ALL "KERNEL(correlationId INT, start INT, "
		      "end INT, blockX INT, name INT);"
		      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT %d) "
		      "INSERT INTO StringTable SELECT n, 'kernel' || n FROM r;"
		      "INSERT INTO " ALL "KERNEL SELECT _id_, 10, 20, 1, %d - _id_ FROM "
		      "StringTable",
		      strings, MANY, MANY + 1);
	run_sql(path, strbuf_text(&sql));
	strbuf_free(&sql);
	start = clock();
	stream = open_stream(path);
	for (int i = 1; i <= MANY; i++) {
		struct record record = next_of(stream);
		char name[32];

		snprintf(name, sizeof(name), "kernel%d", MANY + 1 - i);
		assert_string_equal(names_text(stream_catalog(stream)->names, record.name, NULL),
				    name);
	}
	assert_end(stream);
	stream_close(stream);
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* The look-up of texts is as fast if the table has no key. */
static void test_without_key(void **state)
{
	double keyed, other;

	(void)state;
	keyed = read_names("keyed.nvprof", "StringTable(_id_ INTEGER PRIMARY KEY, value)");
	other = read_names("other.nvprof", "StringTable(_id_, value)");
	assert_true(other < 8 * keyed + 1);
	other = read_names("indexed.nvprof", "StringTable(_id_ INT, value); "
					     "CREATE INDEX i ON StringTable(_id_)");
	assert_true(other < 8 * keyed + 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_round_trip),
		TEST(test_again),
		TEST(test_old_file),
		TEST(test_without_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

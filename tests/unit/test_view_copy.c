/* SPDX-License-Identifier: MIT */
#include "viewfile.h"

#include "view/sqlite/schema.h"

/* Databases made from databases: the copy has nvprof's data unchanged. */

#define ALL "CUPTI_ACTIVITY_KIND_"

static struct strbuf text, other, error;

/* Data in files of nvprof that traces do not have. */
static const char foreign[] =
	"DROP TABLE CP_PROCESS; DROP TABLE CP_DEVICE; DROP TABLE CP_CONTEXT;"
	"DROP TABLE CP_API_NAME; DROP TABLE CP_COUNTER; DROP TABLE CP_KNOWN;"
	"DROP TABLE CP_UNTIMED;"
	"INSERT INTO StringTable VALUES (40, 'main thread'), (41, 'a\\x41b\x01\xff');"
	"INSERT INTO " ALL "NAME VALUES (1, 2, x'0102030405060708090a0b0c', 40);"
	"INSERT INTO " ALL "DEVICE_ATTRIBUTE VALUES (1, 2, 0, x'01000000', x'0004000000000000');"
	"INSERT INTO " ALL "CUDA_EVENT VALUES (3, 12, 1, 7, 2);"
	"INSERT INTO " ALL "PCIE VALUES (1, 1, x'00000000', 0, 3, 8000, 16, 0, zeroblob(144));"
	"INSERT INTO " ALL "MARKER_DATA VALUES (1, 2, 1, 1, x'0700000000000000', 255, 3);"
	"INSERT INTO " ALL "MARKER VALUES (9, 1, 1700000000000000777, 5, 2, zeroblob(12), 41, 0);"
	"INSERT INTO " ALL
	"OPENACC_OTHER SELECT NULL, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,"
	"19,20,21,22,23;"
	"UPDATE " ALL "MEMSET SET memoryKind = 3, value = 255;"
	"UPDATE " ALL "CONCURRENT_KERNEL SET sharedMemoryExecuted = 49152, localMemoryTotal = "
	"77070336, streamId = -1, correlationId = correlationId + 500, gridId = 9;"
	"UPDATE " ALL "RUNTIME SET threadId = -1413879040, correlationId = correlationId + 500;"
	"UPDATE " ALL "MEMCPY SET runtimeCorrelationId = 12;"
	"UPDATE " ALL "DEVICE SET eccEnabled = 1, uuid = x'00112233445566778899aabbccddeeff';"
	"UPDATE " ALL "CONTEXT SET nullStreamId = 7;";

static void make_file(const char *path, const char *sql)
{
	make_trace("run.cptrace");
	if (view_trace("run.cptrace", path, &error))
		fail_msg("%s", strbuf_text(&error));
	run_sql(path, sql);
}

/* Also sets `other` to the data that could not be kept. */
static int copy(const char *from, const char *to)
{
	struct stream *stream = open_stream(from);
	int result;

	error.length = other.length = 0;
	result = view_write(view_find(to), to, stream, &error);
	strbuf_string(&other, stream_left_out(stream) ? stream_left_out(stream) : "");
	stream_close(stream);
	return result;
}

static void assert_left_out(const char *expected)
{
	assert_string_equal(strbuf_text(&other), expected);
}

static void assert_rows(const char *path, const char *sql, const char *expected)
{
	sqlite3 *database = open_view(path);

	assert_string_equal(ask(database, sql, &text), expected);
	sqlite3_close(database);
}

/* Compares all tables of nvprof, all columns, and their types. */
static void assert_same(const char *one, const char *two)
{
	sqlite3 *first = open_view(one), *second = open_view(two);
	struct strbuf rows = STRBUF_INIT;
	char sql[128];

	for (const struct schema_table *table = nvprof_tables; table->name; table++) {
		if (!strncmp(table->name, "CP_", 3))
			continue;
		snprintf(sql, sizeof(sql), "SELECT * FROM %s", table->name);
		ask(first, sql, &rows);
		ask(second, sql, &text);
		if (rows.length != text.length || memcmp(rows.data, text.data, rows.length) != 0)
			fail_msg("%s: %s, not %s", table->name, strbuf_text(&text),
				 strbuf_text(&rows));
	}
	strbuf_free(&rows);
	sqlite3_close(first);
	sqlite3_close(second);
}

static void test_same(void **state)
{
	(void)state;
	make_file("a.nvprof", foreign);
	assert_int_equal(copy("a.nvprof", "b.sqlite"), 0);
	assert_left_out("");
	assert_same("a.nvprof", "b.sqlite");
	assert_int_equal(copy("b.sqlite", "c.nvprof"), 0);
	assert_left_out("");
	assert_same("a.nvprof", "c.nvprof");
	/* The file is not computeprof's: its names are not escaped. */
	assert_rows("c.nvprof", "SELECT count(*) FROM CP_PROCESS", "0\n");
}

/* The copy has the tables and indexes of the form, whatever the file has. */
static void test_older(void **state)
{
	static const char schema[] = "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2";
	sqlite3 *database;

	(void)state;
	make_file("whole.nvprof", "");
	make_file("a.nvprof",
		  "DROP TABLE " ALL "OPENMP; DROP TABLE " ALL "PCIE; DROP TABLE CP_PROCESS;"
		  "DROP INDEX INDEX_" ALL "MEMSET;"
		  "ALTER TABLE " ALL "STREAM RENAME COLUMN correlationId TO mine;"
		  "UPDATE Version SET version = 9; DELETE FROM StringTable WHERE _id_ = 0;"
		  "UPDATE " ALL "STREAM SET mine = 5;"
		  "CREATE TABLE notes(x); INSERT INTO notes VALUES (1); CREATE TABLE empty(x);"
		  "CREATE VIEW \"a\nview\" AS SELECT 1");
	assert_int_equal(copy("a.nvprof", "b.sqlite"), 0);
	assert_left_out("Version 9 (now 11), " ALL "STREAM.mine, notes, a\\x0aview");
	database = open_view("whole.nvprof");
	ask(database, schema, &other);
	sqlite3_close(database);
	assert_rows("b.sqlite", schema, strbuf_text(&other));
	assert_rows("b.sqlite", "SELECT DISTINCT correlationId FROM " ALL "STREAM", "0\n");
	assert_rows("b.sqlite", "SELECT value FROM StringTable WHERE _id_ = 0", "-- null --\n");
	assert_rows("b.sqlite", "SELECT version FROM Version", "11\n");
}

/* At most as many names as fit in a line. */
static void test_many(void **state)
{
	struct strbuf sql = STRBUF_INIT;

	(void)state;
	for (int i = 0; i < 20; i++)
		strbuf_printf(&sql, "CREATE TABLE t%d AS SELECT 1;", i);
	make_file("a.nvprof", strbuf_text(&sql));
	assert_int_equal(copy("a.nvprof", "b.sqlite"), 0);
	assert_left_out("t0, t1, t2, t3, t4, t5, t6, t7, and 12 more");
	strbuf_free(&sql);
}

/* A table without a key: the rows get new numbers. Of texts with one number the first is used, as
 * when the file is read. A text may occur twice. */
static void test_without_key(void **state)
{
	(void)state;
	make_file("a.nvprof",
		  "CREATE TABLE s AS SELECT * FROM StringTable; DROP TABLE StringTable;"
		  "ALTER TABLE s RENAME TO StringTable;"
		  "INSERT INTO StringTable VALUES (77, 'x'), (78, 'x'), (77, 'y'), (NULL, 'z'),"
		  "('n', 'z'), (79, NULL);"
		  "CREATE TABLE m AS SELECT * FROM " ALL "MEMSET; DROP TABLE " ALL "MEMSET;"
		  "ALTER TABLE m RENAME TO " ALL "MEMSET;"
		  "UPDATE " ALL "MEMSET SET _id_ = 2, memoryKind = 3, flags = NULL, value = 'v';");
	assert_int_equal(copy("a.nvprof", "b.sqlite"), 0);
	assert_left_out("4 rows of StringTable");
	assert_rows("b.sqlite", "SELECT * FROM StringTable WHERE _id_ > 70", "77|x\n78|x\n");
	assert_rows("b.sqlite", "SELECT _id_, value, memoryKind, flags FROM " ALL "MEMSET",
		    "1|v|3|0\n2|v|3|0\n3|v|3|0\n");
}

/* One damaged table: the rows before the damage are copied, and so are the other tables. */
static void test_damaged(void **state)
{
	sqlite3 *database;
	long page;
	FILE *file;

	(void)state;
	make_file("a.nvprof", "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r "
			      "LIMIT 1000) INSERT INTO " ALL "NAME SELECT NULL, 2, zeroblob(12), 1 "
			      "FROM r");
	database = open_view("a.nvprof");
	page = atol(ask(database, "SELECT rootpage FROM sqlite_master WHERE name = '" ALL "NAME'",
			&text));
	sqlite3_close(database);
	file = fopen("a.nvprof", "r+");
	assert_non_null(file);
	/* The page with the last rows is made invalid. */
	assert_int_equal(fseek(file, (page - 1) * 4096 + 8, SEEK_SET), 0);
	assert_int_equal(fwrite("\xff\xff\xff\xff", 1, 4, file), 4);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(copy("a.nvprof", "b.sqlite"), 1);
	assert_string_equal(strbuf_text(&error),
			    "cannot read the database: database disk image is malformed; b.sqlite "
			    "has everything before the damage");
	assert_rows("b.sqlite", "SELECT count(*) BETWEEN 100 AND 999 FROM " ALL "NAME", "1\n");
	assert_rows("b.sqlite", "SELECT count(*) FROM " ALL "MEMSET", "3\n");
	assert_rows("b.sqlite", "SELECT cutOff FROM CP_PROCESS", "1\n");
	assert_rows("b.sqlite", "PRAGMA integrity_check", "ok\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_same),	TEST(test_older),   TEST(test_many),
		TEST(test_without_key), TEST(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

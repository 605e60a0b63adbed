/* SPDX-License-Identifier: MIT */
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random.h"
#include "viewfile.h"

/* Hostile databases give valid records or one message, and the reading always ends. */

#define ALL "CUPTI_ACTIVITY_KIND_"

enum { DAMAGES = 1500, SLACK = 64 };

static void check_record(const struct catalog *catalog, const struct record *record)
{
	assert_in_range(record->frame.kind, FRAME_KERNEL, FRAME_FILL);
	assert_int_equal(record->frame.size,
			 sizeof(*record) +
				 (record_counters(record) ? sizeof(struct counters_block) : 0) +
				 record_value_count(record) * sizeof(double));
	assert_non_null(catalog_device(catalog, record->device));
	assert_true(record->context == CATALOG_CONTEXTS ||
		    catalog_context(catalog, record->context));
	assert_true(record->source < MEMORY_COUNT || record->source == UINT8_MAX);
	assert_true(record->target < MEMORY_COUNT || record->target == UINT8_MAX);
	if (!(record->known & KNOWN_TIMES))
		return;
	assert_true(record->queued <= record->submitted);
	assert_true(record->submitted <= record->started);
	assert_true(record->started <= record->ended);
}

/* Returns the number of records, or -1 if the file is refused or ends in an error. The message is
 * one line. */
static long read_file(const char *path, struct strbuf *error)
{
	const struct record *record;
	struct stream *stream;
	long records = 0;
	int result;

	error->length = 0;
	stream = stream_open(path, error);
	if (!stream) {
		assert_true(error->length > 0);
		assert_null(strchr(strbuf_text(error), '\n'));
		return -1;
	}
	while ((result = stream_next(stream, &record, error)) > 0) {
		check_record(stream_catalog(stream), record);
		records++;
	}
	assert_true((result < 0) == (error->length > 0));
	stream_close(stream);
	return result < 0 ? -1 : records;
}

static void make_file(const char *path)
{
	struct strbuf error = STRBUF_INIT;

	make_trace("run.cptrace");
	assert_int_equal(view_trace("run.cptrace", path, &error), 0);
}

static void test_values(void **state)
{
	static const char *const statements[] = {
		"UPDATE " ALL "CONCURRENT_KERNEL SET start = 'x', end = x'00ff', gridX = 1e300",
		"UPDATE " ALL "MEMCPY SET copyKind = -1, srcKind = 99, bytes = -5, start = -7",
		"UPDATE " ALL "MEMSET SET start = 9223372036854775807, end = 1, flags = 'z'",
		"UPDATE " ALL "CONCURRENT_KERNEL SET name = -1, deviceId = -1, contextId = 'c'",
		"UPDATE " ALL "CONCURRENT_KERNEL SET cacheConfig = zeroblob(100000)",
		"UPDATE " ALL "RUNTIME SET start = 'a', end = -1, threadId = 1e99",
		"UPDATE CP_UNTIMED SET flags = -1, bytes = 'many'",
		"UPDATE " ALL "DEVICE SET name = 10000000, id = 'd', numMultiprocessors = -1",
		"UPDATE CP_PROCESS SET start = -1, processId = 'p', lost = -1",
		"UPDATE CP_COUNTER SET name = -1, value = 'v', isReal = 'r'",
		"INSERT INTO CP_COUNTER SELECT NULL, 1, 0, 1, 1, 0 FROM pragma_function_list",
		("DROP TABLE CP_COUNTER; CREATE TABLE CP_COUNTER(correlationId);"
		 "CREATE INDEX counters ON CP_COUNTER(correlationId)"),
		"UPDATE CP_CONTEXT SET api = 77, number = -3",
		"INSERT INTO CP_KNOWN SELECT NULL, correlationId, -1 FROM " ALL "MEMCPY",
		("INSERT INTO CP_KNOWN SELECT NULL, correlationId, 4294967295 FROM " ALL
		 "CONCURRENT_KERNEL; INSERT INTO CP_KNOWN VALUES (NULL, -1, -1)"),
		("DROP TABLE CP_KNOWN; CREATE TABLE CP_KNOWN(correlationId, known);"
		 "INSERT INTO CP_KNOWN VALUES (1, 'k'), (1, x'ff'), (2, 1e300);"
		 "CREATE INDEX known ON CP_KNOWN(correlationId)"),
	};
	struct strbuf error = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		make_file("run.sqlite");
		run_sql("run.sqlite", statements[i]);
		assert_int_equal(read_file("run.sqlite", &error), RECORDS);
	}
}

/* There are no records of this kind. */
static void test_kind(void **state)
{
	struct strbuf error = STRBUF_INIT;

	(void)state;
	make_file("run.sqlite");
	run_sql("run.sqlite", "UPDATE CP_UNTIMED SET kind = 3");
	assert_int_equal(read_file("run.sqlite", &error), RECORDS - 1);
}

static void test_missing(void **state)
{
	static const char *const tables[] = {
		ALL "MEMCPY",  ALL "MEMSET", ALL "RUNTIME", ALL "DEVICE",
		ALL "CONTEXT", "CP_PROCESS", "CP_DEVICE",   "CP_CONTEXT",
	};
	struct strbuf error = STRBUF_INIT;
	char sql[128];

	(void)state;
	make_file("run.sqlite");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		snprintf(sql, sizeof(sql), "DROP TABLE %s", tables[i]);
		run_sql("run.sqlite", sql);
		assert_true(read_file("run.sqlite", &error) > 0);
	}
	run_sql("run.sqlite", "DROP TABLE StringTable");
	assert_int_equal(read_file("run.sqlite", &error), -1);
	assert_string_equal(strbuf_text(&error),
			    "run.sqlite is a database, but not one of nvprof");
}

/* Views in place of tables, which would never end if they were executed. */
static void test_views(void **state)
{
	static const char endless[] =
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) ";
	struct strbuf error = STRBUF_INIT;
	char sql[512];

	(void)state;
	make_file("run.sqlite");
	snprintf(sql, sizeof(sql),
		 "DROP TABLE " ALL "MEMSET; CREATE VIEW " ALL "MEMSET AS %s SELECT n AS start, "
		 "n AS end, n AS correlationId, n AS bytes FROM r",
		 endless);
	run_sql("run.sqlite", sql);
	assert_int_equal(read_file("run.sqlite", &error), RECORDS - 3);
	snprintf(sql, sizeof(sql),
		 "DROP TABLE StringTable; CREATE VIEW StringTable AS %s SELECT n AS _id_, n AS "
		 "value FROM r",
		 endless);
	run_sql("run.sqlite", sql);
	assert_int_equal(read_file("run.sqlite", &error), -1);
}

/* SQLite's message contains the name. */
static void test_sentence(void **state)
{
	struct strbuf error = STRBUF_INIT;

	(void)state;
	make_file("run.sqlite");
	run_sql("run.sqlite", "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'x', "
			      "name = 'a' || char(10) || 'b' WHERE name = 'CP_UNTIMED'");
	assert_int_equal(read_file("run.sqlite", &error), -1);
	assert_non_null(strstr(strbuf_text(&error), "a\\x0ab"));
	strbuf_free(&error);
}

static void test_many_devices(void **state)
{
	struct strbuf error = STRBUF_INIT;

	(void)state;
	make_file("run.sqlite");
	run_sql("run.sqlite",
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 5000) "
		"INSERT INTO " ALL "DEVICE SELECT NULL, 0,0,0,0,0,0,0,0,0,0,0,0,0,"
		"0,0,0,0,0,0,0,0,0,0,0,0, 1000 + n, 0, zeroblob(16), 1 FROM r");
	assert_int_equal(read_file("run.sqlite", &error), -1);
	assert_string_equal(strbuf_text(&error), "the database has too many devices");
}

static void test_damaged(void **state)
{
	struct strbuf error = STRBUF_INIT, bytes = STRBUF_INIT, whole = STRBUF_INIT;
	const char *level = getenv("COMPUTEPROF_TEST_LEVEL");
	int damages = level && !strcmp(level, "quick") ? DAMAGES / 8 : DAMAGES;
	FILE *file;
	int refused = 0;

	(void)state;
	make_file("run.sqlite");
	file = fopen("run.sqlite", "r");
	assert_non_null(file);
	for (char part[4096]; (bytes.length = fread(part, 1, sizeof(part), file));)
		strbuf_append(&whole, part, bytes.length);
	fclose(file);
	for (int i = 0; i < damages; i++) {
		bytes.length = 0;
		strbuf_append(&bytes, whole.data, whole.length);
		for (uint32_t j = 1 + next_random() % SLACK; j; j--)
			bytes.data[16 + next_random() % (whole.length - 16)] = (char)next_random();
		if (i % 4 == 0)
			bytes.length = next_random() % whole.length;
		write_file("hurt.sqlite", &bytes);
		refused += read_file("hurt.sqlite", &error) < 0;
	}
	assert_in_range(refused, 1, damages);
}

/* A database with a write-ahead log is read without making a file beside it. */
static void test_logged(void **state)
{
	static const char *const names[] = {"run.sqlite", "a b?c#d%41.sqlite", "//proc/self/cwd/x"};
	struct strbuf error = STRBUF_INIT;
	glob_t found;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		make_file("made.sqlite");
		run_sql("made.sqlite", "PRAGMA journal_mode = WAL; DELETE FROM CP_UNTIMED");
		assert_int_equal(rename("made.sqlite", names[i]), 0);
		assert_int_equal(chmod(names[i], 0600), 0);
		assert_true(read_file(names[i], &error) > 0);
		assert_int_equal(glob("*-[ws][ah][lm]", 0, NULL, &found), GLOB_NOMATCH);
	}
	strbuf_free(&error);
}

/* The pages of SQLite's tables have children or rows. */
enum { PAGE = 512, INNER = 5, CHAIN = 14 };

struct page {
	unsigned char bytes[PAGE];
	uint32_t number;
};

static uint32_t number_at(const unsigned char *bytes, int size)
{
	uint32_t number = 0;

	for (int i = 0; i < size; i++)
		number = number << 8 | bytes[i];
	return number;
}

static unsigned char *child_of(struct page *page, uint32_t i)
{
	return page->bytes + number_at(page->bytes + 12 + 2 * i, 2);
}

static struct page read_page(FILE *file, uint32_t number)
{
	struct page page = {.number = number};

	assert_int_equal(fseek(file, (long)(number - 1) * PAGE, SEEK_SET), 0);
	assert_int_equal(fread(page.bytes, PAGE, 1, file), 1);
	return page;
}

static struct page read_child(FILE *file, struct page *page, uint32_t i)
{
	return read_page(file, number_at(child_of(page, i), 4));
}

/* Replaces all children of the page by this one. */
static void set_children(FILE *file, struct page *page, uint32_t child)
{
	uint32_t count = number_at(page->bytes + 3, 2);
	unsigned char bytes[4];

	for (int i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(child >> (24 - 8 * i));
	for (uint32_t i = 0; i < count; i++)
		memcpy(child_of(page, i), bytes, sizeof(bytes));
	memcpy(page->bytes + 8, bytes, sizeof(bytes));
	assert_int_equal(fseek(file, (long)(page->number - 1) * PAGE, SEEK_SET), 0);
	assert_int_equal(fwrite(page->bytes, PAGE, 1, file), 1);
}

/* Changes the pages of a table so that each is reached repeatedly: the table then has more rows
 * than can be read. */
static void make_endless(const char *path, const char *table)
{
	struct page top, chain[CHAIN], below;
	struct strbuf text = STRBUF_INIT;
	sqlite3 *database;
	char sql[128];
	FILE *file;

	database = open_view(path);
	snprintf(sql, sizeof(sql), "SELECT rootpage FROM sqlite_master WHERE name = '%s'", table);
	ask(database, sql, &text);
	sqlite3_close(database);
	file = fopen(path, "r+");
	assert_non_null(file);
	top = read_page(file, (uint32_t)atol(strbuf_text(&text)));
	strbuf_free(&text);
	for (;;) {
		chain[0] = read_child(file, &top, 0);
		below = read_child(file, &chain[0], 0);
		if (below.bytes[0] != INNER)
			break;
		top = chain[0];
	}
	assert_true(number_at(top.bytes + 3, 2) >= CHAIN);
	for (uint32_t i = 0; i < CHAIN; i++)
		chain[i] = read_child(file, &top, i);
	for (int i = 0; i + 1 < CHAIN; i++)
		set_children(file, &chain[i], chain[i + 1].number);
	set_children(file, &top, chain[0].number);
	fclose(file);
}

/* Reading and copying end, for sorted and unsorted tables. */
static void test_endless(void **state)
{
	static const char *const tables[] = {ALL "MEMSET", ALL "OVERHEAD"};
	struct strbuf error = STRBUF_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		const struct frame *frame;
		struct stream *stream;
		int result = 1;

		make_file("run.sqlite");
		run_sql("run.sqlite",
			"DROP INDEX INDEX_" ALL "MEMSET; DROP INDEX INDEX_" ALL "OVERHEAD;"
			"PRAGMA page_size = 512; VACUUM;"
			"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT "
			"20000) INSERT INTO " ALL
			"MEMSET SELECT NULL, 0, 1, 2, 3, 0, 1, 0, n, 0, 0 "
			"FROM r; INSERT INTO " ALL "OVERHEAD SELECT NULL, 1, 1, zeroblob(12), "
			"start, end FROM " ALL "MEMSET");
		make_endless("run.sqlite", tables[i]);
		stream = open_stream("run.sqlite");
		while (result > 0)
			result = stream_next_frame(stream, &frame, &error);
		stream_close(stream);
		assert_string_equal(strbuf_text(&error), "cannot read the database: reading takes "
							 "too long for its size");
		error.length = 0;
		if (i)
			continue;
		assert_int_equal(view_trace("run.sqlite", "copy.sqlite", &error), 1);
		assert_string_equal(strbuf_text(&error), "cannot read the database: reading takes "
							 "too long for its size; copy.sqlite has "
							 "everything before the damage");
		error.length = 0;
		unlink("run.sqlite");
		unlink("copy.sqlite");
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_values),  TEST(test_kind),	 TEST(test_missing),
		TEST(test_views),   TEST(test_sentence), TEST(test_many_devices),
		TEST(test_damaged), TEST(test_logged),	 TEST(test_endless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

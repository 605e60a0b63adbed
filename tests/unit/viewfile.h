/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_VIEWFILE_H
#define TESTS_UNIT_VIEWFILE_H

/* A trace of two APIs, and views made from it. Each test has its own folder (folder.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "folder.h"
#include "model/frames.h"
#include "output/trace.h"
#include "view/sqlite/nvprof.h"
#include "view/view.h"

#define EPOCH	INT64_C(1700000000000000000)
#define HOSTILE "a'; DROP TABLE x;--\"\n\xff\xfe\0\x01\\x41\xc3\xa9"

enum {
	NAME_OPENCL_DEVICE = 1,
	NAME_CUDA_DEVICE,
	NAME_PLAIN,
	NAME_HOSTILE,
	NAME_COUNT = NAME_HOSTILE
};

enum { RECORDS = 12, LOST = 3 };

static const struct {
	const char *text;
	size_t length;
} name_texts[] = {
	[NAME_OPENCL_DEVICE] = {"A \"device\"", 10},
	[NAME_CUDA_DEVICE] = {"Another one", 11},
	[NAME_PLAIN] = {"_Z9matrixMulPf", 14},
	[NAME_HOSTILE] = {HOSTILE, sizeof(HOSTILE) - 1},
};

static inline void set_transfer(struct record *record, uint32_t i)
{
	record->frame.kind = i % 3 == 1 ? FRAME_COPY : FRAME_FILL;
	record->frame.flags = i % 2 ? RECORD_ASYNCHRONOUS : 0;
	record->bytes = (1ULL << 33) + i;
	record->known |= KNOWN_BYTES;
	if (i % 3 != 1)
		return;
	record->source = i % 2 ? MEMORY_HOST : MEMORY_DEVICE;
	record->target = i % 2 ? MEMORY_DEVICE : MEMORY_HOST;
	record->direction = i % 2 ? DIRECTION_HOST_TO_DEVICE : DIRECTION_DEVICE_TO_HOST;
	record->host_memory = HOST_MEMORY_PAGE_LOCKED;
	record->known |= KNOWN_DIRECTION | KNOWN_HOST_MEMORY;
}

static inline void set_kernel(struct record *record, uint32_t i)
{
	record->frame.kind = FRAME_KERNEL;
	record->name = i % 2 ? NAME_PLAIN : NAME_HOSTILE;
	record->grid[0] = (1ULL << 32) + i;
	record->grid[1] = 2;
	record->grid[2] = 3;
	record->block[0] = 32;
	record->block[1] = 4;
	record->block[2] = i + 1;
	record->registers = 40 + i;
	record->static_shared = 1024;
	record->dynamic_shared = i;
	record->cache_requested = 2;
	record->cache_executed = 1;
	record->known |= KNOWN_GRID | KNOWN_BLOCK | KNOWN_REGISTERS | KNOWN_STATIC_SHARED |
			 KNOWN_DYNAMIC_SHARED | KNOWN_CACHE;
}

/* Kernels, copies and fills in turn, on each device; the last two have no call or no times. */
static inline struct record make_record(uint32_t i)
{
	struct record record = {
		.frame = {.size = sizeof(record), .correlation = (1ULL << 40) + i, .thread = 70000},
		.enter = 1000000 + i * 10000,
		.leave = 1002000 + i * 10000,
		.queued = EPOCH + 1003000 + i * 10000,
		.submitted = EPOCH + 1003100 + i * 10000,
		.started = EPOCH + 1003200 + i * 10000,
		.ended = EPOCH + 1004200 + i * 10000 + i * i,
		.device = i / 3 % 2,
		.context = i / 3 % 3,
		.stream = i % 4,
		.known = KNOWN_TIMES | KNOWN_STREAM,
	};

	if (record.context == 2)
		record.device = 0;
	else
		record.device = record.context;
	if (i % 3)
		set_transfer(&record, i);
	else
		set_kernel(&record, i);
	if (record.context != 1) { /* OpenCL's */
		record.known &= ~(uint32_t)KNOWN_CACHE;
		record.cache_requested = record.cache_executed = 0;
	}
	if (i == RECORDS - 2)
		record.frame.flags |= RECORD_NO_CALL;
	if (i == RECORDS - 1) {
		record.known &= ~(uint32_t)KNOWN_TIMES;
		record.frame.flags |= RECORD_FAILED;
		record.queued = record.submitted = record.started = record.ended = 0;
	}
	return record;
}

static inline void put_catalog(struct strbuf *to)
{
	static const struct counter_column counted_columns[] = {{"inst_executed", false},
								{"ratio", true}};
	struct names *names = names_new();

	for (uint32_t i = 1; i <= NAME_COUNT; i++)
		names_intern(names, name_texts[i].text, name_texts[i].length);
	frames_put_process(
		to, &(struct process){.pid = 4321, .started = 900000, .monotonic_to_epoch = EPOCH});
	for (uint32_t i = 1; i <= NAME_COUNT; i++)
		frames_put_name(to, names, i);
	frames_put_device(to, &(struct device){.api = API_OPENCL,
					       .name = name_texts[NAME_OPENCL_DEVICE].text,
					       .multiprocessors = 8});
	frames_put_device(to, &(struct device){.id = 1,
					       .api = API_CUDA,
					       .name = name_texts[NAME_CUDA_DEVICE].text,
					       .multiprocessors = 80,
					       .compute_major = 7,
					       .compute_minor = 5});
	frames_put_context(to, &(struct context){.api = API_OPENCL});
	frames_put_context(to, &(struct context){.id = 1, .api = API_CUDA, .device = 1});
	frames_put_context(to, &(struct context){.id = 2, .api = API_OPENCL, .index = 1});
	frames_put_counters(
		to, &(struct counter_set){
			    .device = 1, .count = 2, .columns = counted_columns, .refused = ""});
	names_free(names);
}

/* Kernels of the CUDA device have counter values. */
static inline bool has_counters(const struct record *record)
{
	return record->frame.kind == FRAME_KERNEL && record->device == 1;
}

static inline void set_counters(struct counted_record *counted)
{
	if (has_counters(&counted->record))
		counted_record_set(counted, 0, 2);
}

static inline void put_record(struct strbuf *to, uint32_t i)
{
	struct counted_record counted = {.record = make_record(i), .values = {12345, 0.25}};

	set_counters(&counted);
	trace_put_record(to, &counted.record);
}

static inline void write_file(const char *path, const struct strbuf *bytes)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	if (bytes->length)
		assert_int_equal(fwrite(bytes->data, 1, bytes->length, file), bytes->length);
	assert_int_equal(fclose(file), 0);
}

static inline void make_trace(const char *path)
{
	struct strbuf bytes = STRBUF_INIT;

	trace_put_header(&bytes);
	put_catalog(&bytes);
	for (uint32_t i = 0; i < RECORDS; i++)
		put_record(&bytes, i);
	frames_put_lost(&bytes, LOST, 0, 0);
	trace_finish(&bytes);
	write_file(path, &bytes);
	strbuf_free(&bytes);
}

/* Makes the view `to` of `from`. Returns view_write's result. */
static inline int view_trace(const char *from, const char *to, struct strbuf *error)
{
	struct stream *stream = stream_open(from, error);
	int result;

	assert_non_null(stream);
	assert_non_null(view_find(to));
	result = view_write(view_find(to), to, stream, error);
	stream_close(stream);
	return result;
}

/* Makes a database of nvprof's form from the records alone, even if `from` is a database. */
static inline int view_records(const char *from, const char *to, struct strbuf *error)
{
	struct stream *stream = stream_open(from, error);
	struct strbuf nothing = STRBUF_INIT;
	int result;

	assert_non_null(stream);
	write_file(to, &nothing);
	result = nvprof_write(&form_nvprof, to, stream, error);
	stream_close(stream);
	return result;
}

static inline sqlite3 *open_view(const char *path)
{
	sqlite3 *database = NULL;

	assert_int_equal(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	return database;
}

/* Executes the SQL in the database. */
static inline void run_sql(const char *path, const char *sql)
{
	sqlite3 *database = NULL;
	char *message = NULL;

	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	if (sqlite3_exec(database, sql, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s: %s", sql, message);
	sqlite3_close(database);
}

static inline struct stream *open_stream(const char *path)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);

	if (!stream)
		fail_msg("%s", strbuf_text(&error));
	return stream;
}

/* Returns the rows of a query as text: columns are separated by |, rows end with newlines. */
static inline const char *ask(sqlite3 *database, const char *sql, struct strbuf *text)
{
	sqlite3_stmt *statement = NULL;

	text->length = 0;
	if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(database));
	while (sqlite3_step(statement) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(statement); i++) {
			const void *value = sqlite3_column_text(statement, i);

			strbuf_append(text, value, (size_t)sqlite3_column_bytes(statement, i));
			strbuf_char(text, i + 1 < sqlite3_column_count(statement) ? '|' : '\n');
		}
	assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
	return strbuf_text(text);
}

#endif

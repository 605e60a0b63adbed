/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * The input describes the contents of a database of nvprof's form, in pieces: a letter, a length of
 * one byte, and that many bytes.
 *
 *	I  a row: its table, then columns (number, type, value); others are 0
 *	Q  SQL, which may change anything in the file
 *	B  in the end: an offset in the file (3 bytes), and the bytes to write there
 *	W  the next bytes of a file that SQLite did not make
 *	C  the file is also copied; A: and so is the copy
 */
/* clang-format on */
#include <sqlite3.h>
#include <string.h>

#include "fuzz.h"
#include "machine_sqlite.h"
#include "machine.h"
#include "model/frames.h"
#include "view/sqlite/nvprof.h"
#include "view/sqlite/nvprofcopy.h"
#include "view/sqlite/schema.h"

#define PATH   "/folder/a.nvprof"
#define COPY   "/folder/copy.nvprof"
#define SECOND "/folder/second.nvprof"

enum { TABLES = 64, STEPS = 20000 /* for one piece of SQL */ };

struct maker {
	sqlite3 *database;
	sqlite3_stmt *inserts[TABLES];
	struct strbuf whole, bends;
	bool copy, twice;
};

struct bytes {
	const uint8_t *at;
	size_t left;
};

static uint8_t next_byte(struct bytes *bytes)
{
	if (!bytes->left)
		return 0;
	bytes->left--;
	return *bytes->at++;
}

static uint64_t next_number(struct bytes *bytes, int size)
{
	uint64_t number = 0;

	for (int i = 0; i < size; i++)
		number |= (uint64_t)next_byte(bytes) << 8 * i;
	return number;
}

static int stop(void *steps)
{
	return ++*(int *)steps > STEPS / 100;
}

/* Statements that SQLite refuses have no effect on the file. */
static void run(sqlite3 *database, const char *sql)
{
	int steps = 0;

	sqlite3_progress_handler(database, 100, stop, &steps);
	sqlite3_exec(database, sql, NULL, NULL, NULL);
	sqlite3_progress_handler(database, 0, NULL, NULL);
}

static const struct schema_table *table_at(uint8_t index)
{
	size_t count = 0;

	while (nvprof_tables[count].name)
		count++;
	CHECK(count <= TABLES);
	return &nvprof_tables[index % count];
}

/* Its columns may have any values. */
static sqlite3_stmt *make_table(struct maker *maker, const struct schema_table *table)
{
	struct strbuf create = STRBUF_INIT, insert = STRBUF_INIT;
	const char *at = table->columns, *between = "";
	struct schema_column column;
	sqlite3_stmt *statement = NULL;

	strbuf_printf(&create, "CREATE TABLE IF NOT EXISTS %s(", table->name);
	strbuf_printf(&insert, "INSERT INTO %s VALUES (", table->name);
	for (; schema_column(&at, &column); between = ", ") {
		strbuf_printf(&create, "%s%.*s%s", between, (int)column.length, column.name,
			      column.type == 'K' ? " INTEGER PRIMARY KEY" : "");
		strbuf_printf(&insert, "%s?", between);
	}
	strbuf_char(&create, ')');
	strbuf_char(&insert, ')');
	run(maker->database, strbuf_text(&create));
	sqlite3_prepare_v2(maker->database, strbuf_text(&insert), -1, &statement, NULL);
	strbuf_free(&create);
	strbuf_free(&insert);
	return statement;
}

static void bind(sqlite3_stmt *insert, int column, struct bytes *bytes)
{
	uint8_t type = next_byte(bytes);
	size_t length = type / 8;
	const uint8_t *at;
	double real;
	uint64_t number;

	switch (type % 8) {
	case 0:
		sqlite3_bind_null(insert, column);
		return;
	case 1:
		sqlite3_bind_int64(insert, column, (int8_t)next_byte(bytes));
		return;
	case 2:
		sqlite3_bind_int64(insert, column, (int64_t)next_number(bytes, 2));
		return;
	case 3:
		sqlite3_bind_int64(insert, column, (int64_t)next_number(bytes, 4));
		return;
	case 4:
		sqlite3_bind_int64(insert, column, (int64_t)next_number(bytes, 8));
		return;
	case 5:
		number = next_number(bytes, 8);
		memcpy(&real, &number, sizeof(real));
		sqlite3_bind_double(insert, column, real);
		return;
	default:
		break;
	}
	at = bytes->at;
	length = length < bytes->left ? length : bytes->left;
	bytes->at += length;
	bytes->left -= length;
	if (type % 8 == 6)
		sqlite3_bind_text(insert, column, (const char *)at, (int)length, SQLITE_STATIC);
	else
		sqlite3_bind_blob(insert, column, at, (int)length, SQLITE_STATIC);
}

static void put_row(struct maker *maker, struct bytes *bytes)
{
	const struct schema_table *table = table_at(next_byte(bytes));
	sqlite3_stmt **insert = &maker->inserts[table - nvprof_tables];
	int count;

	if (!*insert)
		*insert = make_table(maker, table);
	if (!*insert)
		return;
	count = sqlite3_bind_parameter_count(*insert);
	for (int i = 1 + !strcmp(table->name, "StringTable"); i < count; i++)
		sqlite3_bind_int(*insert, i + 1, 0);
	sqlite3_bind_null(*insert, 1);
	while (bytes->left) {
		int column = next_byte(bytes) % count;

		bind(*insert, 1 + column, bytes);
	}
	sqlite3_step(*insert);
	sqlite3_reset(*insert);
}

static void put_sql(struct maker *maker, const struct bytes *bytes)
{
	struct strbuf sql = STRBUF_INIT;

	strbuf_append(&sql, bytes->at, bytes->left);
	run(maker->database, strbuf_text(&sql));
	strbuf_free(&sql);
}

static void put_piece(struct maker *maker, char letter, struct bytes *bytes)
{
	uint8_t size = (uint8_t)bytes->left;

	if (letter == 'I')
		put_row(maker, bytes);
	if (letter == 'Q')
		put_sql(maker, bytes);
	if (letter == 'W')
		strbuf_append(&maker->whole, bytes->at, bytes->left);
	if (letter == 'B') {
		strbuf_append(&maker->bends, &size, 1);
		strbuf_append(&maker->bends, bytes->at, bytes->left);
	}
	maker->copy |= letter == 'C';
	maker->twice |= letter == 'A';
}

static void end_database(struct maker *maker)
{
	for (int i = 0; i < TABLES; i++)
		sqlite3_finalize(maker->inserts[i]);
	run(maker->database, "COMMIT");
	CHECK(sqlite3_close(maker->database) == SQLITE_OK);
}

static void bend(struct strbuf *file, const struct strbuf *bends)
{
	for (size_t at = 0, size; at < bends->length; at += 1 + size) {
		struct bytes piece = {(const uint8_t *)bends->data + at + 1, 0};
		size_t where;

		size = piece.left = piece.at[-1];
		for (where = next_number(&piece, 3); piece.left && where < file->length; where++)
			file->data[where] = (char)next_byte(&piece);
	}
}

static void end_file(struct maker *maker)
{
	struct strbuf file = STRBUF_INIT;
	const char *bytes;
	size_t size;

	if (maker->whole.length)
		machine_put(PATH, maker->whole.data, maker->whole.length);
	if (!maker->bends.length)
		return;
	bytes = machine_get(PATH, &size);
	strbuf_append(&file, bytes, size);
	bend(&file, &maker->bends);
	machine_put(PATH, file.data, file.length);
	strbuf_free(&file);
}

static void make_file(struct maker *maker, const uint8_t *data, size_t size)
{
	static const char begin[] = "PRAGMA journal_mode = OFF; PRAGMA page_size = 512; BEGIN;"
				    "CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY, value)";

	machine_put(PATH, NULL, 0);
	CHECK(sqlite3_open(PATH, &maker->database) == SQLITE_OK);
	sqlite3_limit(maker->database, SQLITE_LIMIT_LENGTH, 1 << 16);
	sqlite3_limit(maker->database, SQLITE_LIMIT_ATTACHED, 0);
	run(maker->database, begin);
	while (size >= 2) {
		struct bytes bytes = {data + 2, data[1]};
		char letter = (char)data[0];

		bytes.left = bytes.left < size - 2 ? bytes.left : size - 2;
		data += 2 + bytes.left;
		size -= 2 + bytes.left;
		put_piece(maker, letter, &bytes);
	}
	end_database(maker);
	end_file(maker);
}

static void check_sentence(struct strbuf *error)
{
	CHECK(error->length > 0 && !memchr(error->data, '\n', error->length));
}

static void check_record(const struct catalog *catalog, const struct record *record)
{
	CHECK(record->frame.size ==
	      sizeof(*record) + (record_counters(record) ? sizeof(struct counters_block) : 0) +
		      record_value_count(record) * sizeof(double));
	CHECK(catalog_device(catalog, record->device));
	/* Databases of logs do not have it. */
	CHECK(record->context == CATALOG_CONTEXTS || catalog_context(catalog, record->context));
	CHECK(record->source < MEMORY_COUNT || record->source == UINT8_MAX);
	CHECK(record->target < MEMORY_COUNT || record->target == UINT8_MAX);
	if (!(record->known & KNOWN_TIMES))
		return;
	CHECK(record->queued <= record->submitted && record->submitted <= record->started);
	CHECK(record->started <= record->ended);
}

static void check_frame(const struct catalog *catalog, const struct frame *frame)
{
	if (frames_is_record(frame)) {
		check_record(catalog, (const void *)frame);
		return;
	}
	CHECK(frames_is_event(frame) && frame->size == frames_fixed_size(frame->kind));
}

static void read_file(const char *path)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	const struct frame *frame;
	int result = 0;

	if (!stream)
		check_sentence(&error);
	while (stream && (result = stream_next_frame(stream, &frame, &error)) > 0)
		check_frame(stream_catalog(stream), frame);
	if (stream && result)
		check_sentence(&error);
	CHECK(result || !stream || !error.length);
	stream_close(stream);
	strbuf_free(&error);
}

/* Returns nvprofcopy's result; sets whether the copy is complete. */
static int copy_file(const char *from, const char *to, bool *whole)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(from, &error);
	int result = -1;

	machine_put(to, NULL, 0);
	*whole = false;
	if (stream && stream_database_path(stream)) {
		result = nvprofcopy(to, stream, &error);
		*whole = !result && !stream_damage(stream) && !stream_left_out(stream);
		CHECK(!result == !error.length);
	}
	stream_close(stream);
	strbuf_free(&error);
	return result;
}

static void check_pages(const char *path)
{
	sqlite3 *database = NULL;
	sqlite3_stmt *check = NULL;

	CHECK(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
	CHECK(sqlite3_prepare_v2(database, "PRAGMA quick_check(1)", -1, &check, NULL) == SQLITE_OK);
	CHECK(sqlite3_step(check) == SQLITE_ROW);
	CHECK(!strcmp((const char *)sqlite3_column_text(check, 0), "ok"));
	sqlite3_finalize(check);
	sqlite3_close(database);
}

/* For any file, the copy is valid, and a copy of the copy is complete. */
static void check_copy(bool twice)
{
	bool whole;
	size_t size;

	if (copy_file(PATH, COPY, &whole))
		return;
	machine_get(COPY, &size);
	if (!twice)
		return;
	check_pages(COPY);
	if (size < MACHINE_ROOM / 2)
		CHECK(!copy_file(COPY, SECOND, &whole) && whole);
}

void fuzz_database(const uint8_t *data, size_t size)
{
	struct maker maker = {0};

	machine_sqlite_begin();
	make_file(&maker, data, size);
	read_file(PATH);
	if (maker.copy)
		check_copy(maker.twice);
	strbuf_free(&maker.whole);
	strbuf_free(&maker.bends);
}

/* SPDX-License-Identifier: MIT */
#include "view/parquet/parquet_record.h"

#include <string.h>

#include "model/amount.h"
#include "model/api.h"
#include "model/field.h"
#include "model/method.h"
#include "output/escape.h"
#include "view/format/label.h"

enum { COUNTER_BYTES = 1 << 20 };

static void put_number(struct parquet_record *rows, int column, uint64_t number)
{
	if (number <= INT64_MAX) /* larger ones are only in damaged files */
		parquet_file_put(rows->file, column, number);
}

/* Control characters and bytes that are not UTF-8 are escaped as in JSON. */
static uint32_t add_text(struct parquet_record *rows, const char *text, size_t length)
{
	struct strbuf escaped = STRBUF_INIT;
	uint32_t number;

	escape_put(&escaped, text, length, ESCAPE_TEXT);
	number = parquet_file_text(rows->file, escaped.data, escaped.length);
	rows->failed |= escaped.failed;
	strbuf_free(&escaped);
	return number;
}

/* The text is a constant or belongs to the catalog. An empty one is none. */
static void put_text(struct parquet_record *rows, int column, const char *text, size_t length)
{
	uint64_t key = (uintptr_t)text;
	uintptr_t number;

	if (!length)
		return;
	number = (uintptr_t)map_get(&rows->texts, key);
	if (!number) {
		number = add_text(rows, text, length);
		rows->failed |= map_set(&rows->texts, key, (void *)number) != 0;
	}
	parquet_file_put(rows->file, column, number);
}

static void put_word(struct parquet_record *rows, int column, const char *word)
{
	if (word)
		put_text(rows, column, word, strlen(word));
}

static void put_rank(struct parquet_record *rows, int column)
{
	if (rows->has_rank)
		put_number(rows, column, rows->rank);
}

static void put_process(struct parquet_record *rows, int column)
{
	if (rows->catalog->process.pid)
		put_number(rows, column, rows->catalog->process.pid);
}

static const struct device *device_of(const struct parquet_record *rows)
{
	return catalog_device(rows->catalog, rows->record->device);
}

static void put_api(struct parquet_record *rows, int column)
{
	const struct device *device = device_of(rows);

	put_word(rows, column, device ? api_row(device->api)->name : NULL);
}

static void put_device(struct parquet_record *rows, int column)
{
	const struct device *device = device_of(rows);

	if (device)
		put_number(rows, column, device->number);
}

static void put_device_name(struct parquet_record *rows, int column)
{
	const struct device *device = device_of(rows);

	put_word(rows, column, device ? device->name : NULL);
}

static void put_context(struct parquet_record *rows, int column)
{
	const struct context *context = catalog_context(rows->catalog, rows->record->context);

	if (context)
		put_number(rows, column, context->index + UINT64_C(1));
}

static void put_kind(struct parquet_record *rows, int column)
{
	uint16_t kind = rows->record->frame.kind;

	put_word(rows, column,
		 kind == FRAME_KERNEL ? "kernel"
		 : kind == FRAME_COPY ? "copy"
				      : "fill");
}

static void put_name(struct parquet_record *rows, int column)
{
	const struct record *record = rows->record;
	const char *name;
	size_t length;

	if (record->frame.kind == FRAME_COPY)
		put_word(rows, column, label_direction(record));
	if (record->frame.kind != FRAME_KERNEL)
		return;
	name = method_text(record, DIALECT_CLASSIC, rows->catalog->names, &length);
	put_text(rows, column, name, length);
}

static void put_correlation(struct parquet_record *rows, int column)
{
	put_number(rows, column, rows->number);
}

static void put_duration(struct parquet_record *rows, int column)
{
	if (rows->record->known & KNOWN_TIMES)
		put_number(rows, column, amount_duration(rows->record));
}

static void put_call_time(struct parquet_record *rows, int column, uint64_t time)
{
	const struct process *process = &rows->catalog->process;

	if (!(rows->record->frame.flags & RECORD_NO_CALL))
		put_number(rows, column,
			   time + (uint64_t)process->monotonic_to_epoch + (uint64_t)rows->shift);
}

static void put_call_start(struct parquet_record *rows, int column)
{
	put_call_time(rows, column, rows->record->enter);
}

static void put_call_end(struct parquet_record *rows, int column)
{
	put_call_time(rows, column, rows->record->leave);
}

/* A column has either a field of the record, or a function. */
static const struct row {
	const char *name;
	enum parquet_type type;
	enum field_id field;
	unsigned index; /* of the field's number */
	void (*put)(struct parquet_record *rows, int column);
} list[] = {
	{"rank", PARQUET_NUMBER, FIELD_NONE, 0, put_rank},
	{"process", PARQUET_NUMBER, FIELD_NONE, 0, put_process},
	{"thread", PARQUET_NUMBER, FIELD_FRAME_THREAD, 0, NULL},
	{"api", PARQUET_TEXT, FIELD_NONE, 0, put_api},
	{"device", PARQUET_NUMBER, FIELD_NONE, 0, put_device},
	{"device_name", PARQUET_TEXT, FIELD_NONE, 0, put_device_name},
	{"context", PARQUET_NUMBER, FIELD_NONE, 0, put_context},
	{"stream", PARQUET_NUMBER, FIELD_RECORD_STREAM, 0, NULL},
	{"kind", PARQUET_TEXT, FIELD_NONE, 0, put_kind},
	{"name", PARQUET_TEXT, FIELD_NONE, 0, put_name},
	{"correlation", PARQUET_NUMBER, FIELD_NONE, 0, put_correlation},
	{"start", PARQUET_TIME, FIELD_RECORD_STARTED, 0, NULL},
	{"end", PARQUET_TIME, FIELD_RECORD_ENDED, 0, NULL},
	{"duration_ns", PARQUET_NUMBER, FIELD_NONE, 0, put_duration},
	{"queued", PARQUET_TIME, FIELD_RECORD_QUEUED, 0, NULL},
	{"submitted", PARQUET_TIME, FIELD_RECORD_SUBMITTED, 0, NULL},
	{"call_start", PARQUET_TIME, FIELD_NONE, 0, put_call_start},
	{"call_end", PARQUET_TIME, FIELD_NONE, 0, put_call_end},
	{"bytes", PARQUET_NUMBER, FIELD_RECORD_BYTES, 0, NULL},
	{"direction", PARQUET_TEXT, FIELD_RECORD_DIRECTION, 0, NULL},
	{"host_memory", PARQUET_TEXT, FIELD_RECORD_HOST_MEMORY, 0, NULL},
	{"grid_x", PARQUET_NUMBER, FIELD_RECORD_GRID, 0, NULL},
	{"grid_y", PARQUET_NUMBER, FIELD_RECORD_GRID, 1, NULL},
	{"grid_z", PARQUET_NUMBER, FIELD_RECORD_GRID, 2, NULL},
	{"block_x", PARQUET_NUMBER, FIELD_RECORD_BLOCK, 0, NULL},
	{"block_y", PARQUET_NUMBER, FIELD_RECORD_BLOCK, 1, NULL},
	{"block_z", PARQUET_NUMBER, FIELD_RECORD_BLOCK, 2, NULL},
	{"block_chosen_by", PARQUET_TEXT, FIELD_RECORD_BLOCK_GIVEN, 0, NULL},
	{"static_shared_bytes", PARQUET_NUMBER, FIELD_RECORD_STATIC_SHARED, 0, NULL},
	{"dynamic_shared_bytes", PARQUET_NUMBER, FIELD_RECORD_DYNAMIC_SHARED, 0, NULL},
	{"registers", PARQUET_NUMBER, FIELD_RECORD_REGISTERS, 0, NULL},
	{"occupancy", PARQUET_FLOAT, FIELD_RECORD_OCCUPANCY, 0, NULL},
	{"cache_requested", PARQUET_TEXT, FIELD_RECORD_CACHE_REQUESTED, 0, NULL},
	{"cache_executed", PARQUET_TEXT, FIELD_RECORD_CACHE_EXECUTED, 0, NULL},
};

enum { COLUMNS = sizeof(list) / sizeof(list[0]) };

int parquet_record_open(struct parquet_record *rows, struct parquet_file *file)
{
	*rows = (struct parquet_record){
		.file = file,
		.counters = names_new(),
		.room = {.texts = PARQUET_COUNTERS, .bytes = COUNTER_BYTES},
	};
	rows->failed = !rows->counters;
	for (int i = 0; i < COLUMNS; i++)
		rows->failed |= parquet_file_add_column(file, list[i].name, list[i].type) != i;
	return rows->failed ? -1 : 0;
}

void parquet_record_close(struct parquet_record *rows)
{
	map_free(&rows->texts);
	names_free(rows->counters);
}

void parquet_record_forget(struct parquet_record *rows)
{
	map_free(&rows->texts);
}

static void put_real(struct parquet_record *rows, int column, float real)
{
	uint32_t bits;

	memcpy(&bits, &real, sizeof(bits));
	if (__builtin_isfinite(real))
		parquet_file_put(rows->file, column, bits);
}

static void put_field(struct parquet_record *rows, int column, const struct row *row)
{
	const struct field *field = &field_rows[row->field];
	const struct record *record = rows->record;
	uint64_t number;

	if (!field_is_known(field, record) ||
	    (row->field == FIELD_RECORD_BLOCK && !record->block[0]))
		return; /* a block size of 0 is unknown */
	if (row->type == PARQUET_FLOAT) {
		put_real(rows, column, field_real(field, record));
		return;
	}
	number = field_get(field, record, row->index);
	if (row->type == PARQUET_TEXT)
		put_word(rows, column, field_word(field, number));
	else if (row->type != PARQUET_TIME)
		put_number(rows, column, number);
	else if (rows->has_starts)
		put_number(rows, column, number + (uint64_t)rows->shift);
}

/* Returns the column of a counter, which is new if the name is; -1 if it has none. */
static int counter_column(struct parquet_record *rows, const char *name)
{
	uint32_t before = names_count(rows->counters);
	uint32_t id = names_intern_within(rows->counters, name, strlen(name), &rows->room);
	struct strbuf unused = STRBUF_INIT;

	if (!id || id <= before)
		return id ? COLUMNS + (int)id - 1 : -1;
	strbuf_string(&unused, name);
	while (parquet_file_has_column(rows->file, strbuf_text(&unused)))
		strbuf_char(&unused, '_');
	rows->failed |= unused.failed || parquet_file_add_column(rows->file, strbuf_text(&unused),
								 PARQUET_DOUBLE) < 0;
	strbuf_free(&unused);
	return rows->failed ? -1 : COLUMNS + (int)id - 1;
}

static void put_counters(struct parquet_record *rows)
{
	const struct counters_block *block = record_counters(rows->record);
	const struct counter_set *set = block ? catalog_counters(rows->catalog, block->set) : NULL;
	const double *values = record_values(rows->record);
	uint32_t count = record_value_count(rows->record);

	for (uint32_t i = 0; set && i < set->count && i < count && !rows->failed; i++) {
		uint64_t bits;
		int column;

		if (!__builtin_isfinite(values[i]))
			continue;
		memcpy(&bits, &values[i], sizeof(bits));
		column = counter_column(rows, set->columns[i].name);
		if (column < 0)
			rows->left_out++;
		else
			parquet_file_put(rows->file, column, bits);
	}
}

int parquet_record_put(struct parquet_record *rows)
{
	bool forgotten = false;

	for (int i = 0; i < COLUMNS; i++) {
		if (list[i].put)
			list[i].put(rows, i);
		else
			put_field(rows, i, &list[i]);
	}
	put_counters(rows);
	if (rows->failed || parquet_file_end_row(rows->file, &forgotten))
		return -1;
	if (forgotten)
		parquet_record_forget(rows);
	return 0;
}

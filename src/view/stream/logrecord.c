/* SPDX-License-Identifier: MIT */
#include "view/stream/logrecord.h"

#include <string.h>

#include "base/text.h"
#include "model/method.h"
#include "output/logheader.h"
#include "output/logmethod.h"
#include "output/unescape.h"

enum { DECIMAL = 10, HEXADECIMAL = 16, NS_PER_US = 1000 };

/* Values of a row that are not stored in the record directly. */
struct row {
	struct log_text method;
	uint64_t gpu_time, cpu_time, timestamp, start, end; /* nanoseconds */
	bool has_gpu_time, has_cpu_time, has_timestamp, has_start, has_end;
};

/* Returns the text before the next comma, without surrounding blanks; `rest` is moved past it. */
static struct log_text cut(struct log_text *rest)
{
	return text_trimmed(text_cut(rest, ','));
}

/* Returns the index of `key` in "gridsizeX,gridsizeY"; -1 if it is not in it. */
static int find_in(const char *header, const char *key)
{
	struct log_text rest = {header, strlen(header)};

	for (int i = 0; rest.length; i++)
		if (text_is(cut(&rest), key))
			return i;
	return -1;
}

/* The key is a name in the column line (CSV) or, in any letter case, that of all numbers of the
 * column (KVP): logs of different versions differ in the case of gridSize. */
static int index_in(const struct column *column, const char *key)
{
	for (int terms = 0; terms < TERMS_COUNT; terms++) {
		const char *name = column->key[terms][DIALECT_CLASSIC].name;
		int index = column->header[terms] ? find_in(column->header[terms], key) : -1;

		if (index >= 0)
			return index;
		if (name && text_same(key, name))
			return 0;
	}
	return -1;
}

static void find_column(struct logrecord_place *place)
{
	place->column = NULL;
	for (int i = 0; i < COLUMN_COUNT && !place->column; i++) {
		int index = index_in(&columns[i], place->key);

		if (index < 0)
			continue;
		place->column = &columns[i];
		place->index = (size_t)index;
	}
}

static const struct logrecord_place *find_place(struct logrecord *state, size_t ordinal,
						struct log_text key)
{
	struct logrecord_place *place =
		ordinal < LOGRECORD_FIELDS ? &state->places[ordinal] : &state->other;

	if (key.length && key.length == place->length && !memcmp(place->key, key.text, key.length))
		return place;
	*place = (struct logrecord_place){.length = 0};
	if (key.length >= LOGRECORD_KEY)
		return place;
	memcpy(place->key, key.text, key.length);
	place->length = key.length;
	find_column(place);
	return place;
}

bool logrecord_has(const struct logreader *reader, enum column_id id)
{
	size_t count;
	const char *word = columns[id].header[TERMS_BLOCKS];
	const struct log_text *names = logreader_columns(reader, &count);
	const struct log_field *fields;

	for (size_t i = 0; i < count; i++)
		if (text_is(names[i], word))
			return true;
	fields = logreader_fields(reader, &count);
	for (size_t i = 0; i < count; i++)
		if (text_is(fields[i].key, word))
			return true;
	return false;
}

static int digit_of(char byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	return byte >= 'a' && byte <= 'f' ? byte - 'a' + DECIMAL : HEXADECIMAL;
}

/* Reads "4.096" microseconds as 4096 nanoseconds; digits below a nanosecond are dropped. */
static bool read_microseconds(struct log_text text, uint64_t *time)
{
	const char *point = memchr(text.text, '.', text.length);
	struct log_text whole = {text.text, point ? (size_t)(point - text.text) : text.length};
	struct log_text part = {whole.text + whole.length, text.length - whole.length};
	uint64_t value, unit = NS_PER_US / DECIMAL;

	if (!text_number(whole, DECIMAL, UINT64_MAX / NS_PER_US - 1, &value))
		return false;
	value *= NS_PER_US;
	for (size_t i = 1; i < part.length; i++, unit /= DECIMAL) {
		if (digit_of(part.text[i]) >= DECIMAL)
			return false;
		value += (uint64_t)digit_of(part.text[i]) * unit;
	}
	*time = value;
	return true;
}

/* Reads a ratio such as "0.667". */
static bool read_ratio(struct log_text text, float *ratio)
{
	uint64_t parts;

	/* Parsed like a time, in thousandths. */
	if (!read_microseconds(text, &parts) || parts > UINT32_MAX)
		return false;
	*ratio = (float)((double)parts / NS_PER_US);
	return true;
}

bool logrecord_start(const struct logreader *reader, uint64_t *start)
{
	struct log_text value;
	uint64_t passed;

	if (!logreader_value(reader, columns[COLUMN_ID_GPU_START].header[TERMS_BLOCKS], &value) ||
	    !text_number(value, HEXADECIMAL, UINT64_MAX, start))
		return false;
	if (logreader_value(reader, columns[COLUMN_ID_TIMESTAMP].header[TERMS_BLOCKS], &value) &&
	    read_microseconds(value, &passed) && passed < *start)
		*start -= passed;
	return true;
}

static bool put_number(struct record *record, const struct column *column, size_t index,
		       struct log_text text)
{
	const struct field *field = &field_rows[column->field];
	uint64_t value;

	/* KVP calls the grid the same with two numbers and with three. */
	return index < field->count && text_number(text, DECIMAL, UINT64_MAX, &value) &&
	       field_set(field, record, (unsigned int)index, value);
}

/* Grid and block have columns of their own: a log can have one of them. */
static uint32_t known_of(const struct column *column)
{
	switch (column - columns) {
	case COLUMN_ID_GRID:
	case COLUMN_ID_GRID3D:
		return KNOWN_GRID_ALONE;
	case COLUMN_ID_BLOCK:
		return KNOWN_BLOCK;
	default:
		return column->known;
	}
}

/* Stores one number, or in KVP all numbers of the column. Invalid numbers are skipped. */
static void put_numbers(struct record *record, const struct logrecord_place *place,
			struct log_text value)
{
	size_t index = place->index;

	while (value.length)
		if (!put_number(record, place->column, index++, cut(&value)))
			return;
	record->known |= known_of(place->column);
}

static int put_gpu_time(struct row *row, struct log_text value, const char **error)
{
	row->has_gpu_time = read_microseconds(value, &row->gpu_time);
	*error = "its gputime is not a number";
	return row->has_gpu_time ? 0 : -1;
}

static int put_stamp(struct row *row, const struct column *column, struct log_text value,
		     const char **error)
{
	if (column == &columns[COLUMN_ID_GPU_END]) {
		row->has_end = text_number(value, HEXADECIMAL, UINT64_MAX, &row->end);
		return 0;
	}
	row->has_start = text_number(value, HEXADECIMAL, UINT64_MAX, &row->start);
	*error = "its gpustarttimestamp is not a number";
	return row->has_start ? 0 : -1;
}

static int put_field(struct record *record, struct row *row, const struct logrecord_place *place,
		     struct log_text value, const char **error)
{
	const struct column *column = place->column;

	switch (column->type) {
	case COLUMN_METHOD:
		row->method = value;
		return 0;
	case COLUMN_SINCE_START:
		row->has_timestamp = read_microseconds(value, &row->timestamp);
		return 0;
	case COLUMN_CPU_TIME:
		row->has_cpu_time = read_microseconds(value, &row->cpu_time);
		return 0;
	case COLUMN_EPOCH_HEX:
		return put_stamp(row, column, value, error);
	case COLUMN_GPU_TIME:
		return put_gpu_time(row, value, error);
	case COLUMN_REAL:
		if (read_ratio(value, &record->occupancy))
			record->known |= column->known;
		return 0;
	case COLUMN_CALLER: /* the record has a stack instead */
		return 0;
	case COLUMN_FIELD:
		put_numbers(record, place, value);
		return 0;
	}
	return 0;
}

/* The method is memcopy, which has at most a direction. */
static void put_classic_copy(struct logrecord *state, struct record *record)
{
	bool known = record->known & KNOWN_DIRECTION && record->direction <= DIRECTION_DEVICE;

	record->frame.kind = FRAME_COPY;
	record->source = MEMORY_COUNT;
	record->target = MEMORY_COUNT;
	state->copies_without_direction += !known;
	if (!known)
		return;
	record->source =
		record->direction == DIRECTION_HOST_TO_DEVICE ? MEMORY_HOST : MEMORY_DEVICE;
	record->target =
		record->direction == DIRECTION_DEVICE_TO_HOST ? MEMORY_HOST : MEMORY_DEVICE;
}

static int put_kernel(struct logrecord *state, struct record *record, struct names *names,
		      struct log_text method, const char **error)
{
	record->frame.kind = FRAME_KERNEL;
	record->source = 0;
	record->target = 0;
	state->name.length = 0;
	unescape_name(method, &state->name);
	if (!state->name.failed)
		record->name = names_intern(names, state->name.data, state->name.length);
	if (record->name)
		return 0;
	state->name.failed = false;
	*error = "out of memory";
	return -1;
}

static int put_method(struct logrecord *state, const struct logreader *reader,
		      struct record *record, struct names *names, struct log_text method,
		      const char **error)
{
	if (!logmethod_is_transfer(reader, method))
		return put_kernel(state, record, names, method, error);
	if (text_is(method, "memcopy")) {
		put_classic_copy(state, record);
	} else if (text_is(method, "memset") || text_is(method, "memsetasync")) {
		record->frame.kind = FRAME_FILL;
		record->frame.flags |= text_is(method, "memsetasync") ? RECORD_ASYNCHRONOUS : 0;
	} else {
		method_read_copy(record, method.text, method.length);
	}
	return 0;
}

/* gputime is in logs of all versions; the two stamps may be truncated to microseconds of it. */
static void put_times(const struct logrecord *state, struct record *record, const struct row *row)
{
	bool has_both = row->has_start && row->has_end && row->end >= row->start;
	uint64_t duration = row->has_gpu_time ? row->gpu_time : row->end - row->start;

	record->frame.flags |= RECORD_NO_CALL;
	record->enter = row->has_timestamp ? row->timestamp : state->rows;
	record->leave = record->enter + (row->has_cpu_time ? row->cpu_time : 0);
	if (!row->has_gpu_time && !has_both)
		return;
	if (!row->has_start && !state->no_starts)
		return;
	record->started = state->no_starts ? 0 : row->start;
	record->queued = record->started;
	record->submitted = record->started;
	record->ended = record->started + duration;
	record->known |= KNOWN_TIMES;
}

int logrecord_read(struct logrecord *state, const struct logreader *reader, struct names *names,
		   struct record *record, const char **error)
{
	struct row row = {.has_start = false};
	size_t count;
	const struct log_field *field = logreader_fields(reader, &count);

	*record = (struct record){
		.frame = {.size = sizeof(*record), .correlation = state->rows + 1},
		.grid = {1, 1, 1},
		.block = {1, 1, 1},
	};
	for (size_t i = 0; i < count; i++) {
		const struct logrecord_place *place = find_place(state, i, field[i].key);

		if (place->column && put_field(record, &row, place, field[i].value, error))
			return -1;
		state->has_others |= !place->column && field[i].value.length;
	}
	*error = "it has no method";
	if (!row.method.length)
		return -1;
	if (put_method(state, reader, record, names, row.method, error))
		return -1;
	put_times(state, record, &row);
	state->rows++;
	return 0;
}

void logrecord_free(struct logrecord *state)
{
	strbuf_free(&state->name);
}

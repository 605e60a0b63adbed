/* SPDX-License-Identifier: MIT */
#include "output/value.h"

#include <string.h>

#include "model/method.h"

/* Returns the size of the counters of a row: names, numbers and separators. */
static size_t counters_size(const struct counter_set *counters)
{
	return counters ? counters->width + counters->count * (NUMBER_SIZE + 8) : 0;
}

/* Returns NULL if the record's counter set is not that of the file's columns. A function of its
 * own, so that rows without counters save no registers for a call. */
__attribute__((noinline)) static const double *counters_of(const struct record *record,
							   const struct counter_set *counters)
{
	const struct counters_block *found = record_counters(record);

	if (!found || found->set != counters->id || record_value_count(record) != counters->count)
		return NULL;
	return record_values(record);
}

char *row_begin(struct row *row, const struct output_target *target, const struct record *record,
		enum escape escape, struct strbuf *buffer)
{
	const struct names *names = target->catalog->names;

	row->target = target;
	row->record = record;
	row->counters = target->counters ? counters_of(record, target->counters) : NULL;
	row->escape = escape;
	row->method = method_text(record, target->layout.dialect, names, &row->method_length);
	row->method_is_word =
		record->frame.kind != FRAME_KERNEL || names_is_word(names, record->name);
	return strbuf_reserve(buffer, ROW_SIZE + counters_size(target->counters) +
					      ESCAPE_SIZE(row->method_length));
}

void row_end(const char *to, struct strbuf *buffer)
{
	buffer->length = (size_t)(to - buffer->data);
}

char *value_write_counter(char *to, const struct row *row, uint32_t index)
{
	if (row->target->counters->columns[index].real)
		return number_real(to, row->counters[index]);
	return number_whole(to, row->counters[index]);
}

static uint64_t duration(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static uint64_t integer_at(const char *at, enum field_type type, unsigned int index)
{
	uint64_t wide;
	uint32_t word;

	if (type == FIELD_UINT8)
		return (uint8_t)at[index];
	if (type == FIELD_UINT32) {
		memcpy(&word, at + index * sizeof(word), sizeof(word));
		return word;
	}
	memcpy(&wide, at + index * sizeof(wide), sizeof(wide));
	return wide;
}

static float ratio_at(const char *at)
{
	float ratio;

	memcpy(&ratio, at, sizeof(ratio));
	return ratio;
}

char *value_write(char *to, const struct row *row, const struct column *column, unsigned int index)
{
	const struct record *record = row->record;
	const char *at = (const char *)record + column->offset;

	switch (column->type) {
	case COLUMN_SINCE_START:
		return number_microseconds(to, duration(row->target->catalog->process.started,
							record->enter));
	case COLUMN_EPOCH_HEX:
		return number_hex(to, integer_at(at, FIELD_UINT64, 0));
	case COLUMN_METHOD:
		return (row->method_is_word ? escape_word : escape_name)(
			to, row->method, row->method_length, row->escape);
	case COLUMN_GPU_TIME:
		return number_microseconds(to, duration(record->started, record->ended));
	case COLUMN_CPU_TIME:
		return number_microseconds(to, duration(record->enter, record->leave));
	case COLUMN_REAL:
		return number_float(to, ratio_at(at));
	case COLUMN_FIELD:
	default: /* there is no other: -Wswitch-enum */
		return number_decimal(to, integer_at(at, column->value_type, index));
	}
}

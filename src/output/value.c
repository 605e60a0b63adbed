/* SPDX-License-Identifier: MIT */
#include "output/value.h"

#include <string.h>

#include "model/method.h"

/* Room for the counters of a row: names, numbers and what stands between them. */
static size_t counters_size(const struct counter_set *counters)
{
	return counters ? counters->width + counters->count * (NUMBER_SIZE + 8) : 0;
}

/* NULL where the values are others than the file has columns for. */
static const double *counters_of(const struct record *record, const struct counter_set *counters)
{
	if (!counters || record->frame.counters != counters->id + 1 ||
	    record_value_count(record) != counters->count)
		return NULL;
	return record_values(record);
}

struct row row_begin(const struct output_target *target, const struct record *record,
		     enum escape escape, struct strbuf *buffer)
{
	struct row row = {
		.target = target,
		.record = record,
		.counters = counters_of(record, target->counters),
		.escape = escape,
	};

	row.method = method_text(record, target->layout.dialect, target->catalog->names,
				 &row.method_length);
	row.method_is_word = record->frame.kind != FRAME_KERNEL ||
			     names_is_word(target->catalog->names, record->name);
	row.to = strbuf_reserve(buffer, ROW_SIZE + counters_size(target->counters) +
						ESCAPE_SIZE(row.method_length));
	return row;
}

void row_end(struct row *row, struct strbuf *buffer)
{
	buffer->length = (size_t)(row->to - buffer->data);
}

void value_write_counter(struct row *row, uint32_t index)
{
	if (row->target->counters->columns[index].real)
		row->to = number_real(row->to, row->counters[index]);
	else
		row->to = number_whole(row->to, row->counters[index]);
}

static uint64_t duration(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static uint64_t integer_at(const void *at, enum column_type type)
{
	uint64_t wide = 0;
	uint32_t word = 0;

	if (type == COLUMN_UINT8)
		return *(const uint8_t *)at;
	if (type == COLUMN_UINT32) {
		memcpy(&word, at, sizeof(word));
		return word;
	}
	memcpy(&wide, at, sizeof(wide));
	return wide;
}

static float ratio_at(const void *at)
{
	float ratio;

	memcpy(&ratio, at, sizeof(ratio));
	return ratio;
}

void value_write(struct row *row, const struct column *column, unsigned int index)
{
	static const size_t sizes[] = {
		[COLUMN_UINT8] = sizeof(uint8_t),
		[COLUMN_UINT32] = sizeof(uint32_t),
		[COLUMN_UINT64] = sizeof(uint64_t),
	};
	const struct record *record = row->record;
	const char *at = (const char *)record + column->offset;
	uint64_t started = row->target->catalog->process.started;

	switch (column->type) {
	case COLUMN_SINCE_START:
		row->to = number_microseconds(row->to, duration(started, record->enter));
		break;
	case COLUMN_EPOCH_HEX:
		row->to = number_hex(row->to, integer_at(at, column->type));
		break;
	case COLUMN_METHOD:
		row->to = (row->method_is_word ? escape_word : escape_name)(
			row->to, row->method, row->method_length, row->escape);
		break;
	case COLUMN_GPU_TIME:
		row->to = number_microseconds(row->to, duration(record->started, record->ended));
		break;
	case COLUMN_CPU_TIME:
		row->to = number_microseconds(row->to, duration(record->enter, record->leave));
		break;
	case COLUMN_RATIO:
		row->to = number_float(row->to, ratio_at(at));
		break;
	case COLUMN_UINT8:
	case COLUMN_UINT32:
	case COLUMN_UINT64:
	default: /* there is no other: -Wswitch-enum */
		at += index * sizes[column->type];
		row->to = number_decimal(row->to, integer_at(at, column->type));
		break;
	}
}

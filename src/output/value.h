/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_VALUE_H
#define OUTPUT_VALUE_H

#include <string.h>

#include "base/number.h"
#include "output/escape.h"
#include "output/output.h"

/* Room for all of a row but its method and counters: keys, numbers and what stands between. */
#define ROW_SIZE (COLUMN_COUNT * (64 + 3 * (NUMBER_SIZE + 2)))

/* What a row is made of. */
struct row {
	const struct output_target *target;
	const struct record *record;
	const double *counters; /* for each of the target's, or NULL */
	enum escape escape;
	const char *method;
	size_t method_length;
	bool method_is_word;
};

/* Returns where to write the row, with room for all of it; NULL, and the record is dropped (the
 * buffer says so), when memory ran out. row_end gives the bytes up to `to` to the buffer. */
char *row_begin(struct row *row, const struct output_target *target, const struct record *record,
		enum escape escape, struct strbuf *buffer);
void row_end(const char *to, struct strbuf *buffer);

/* Whether `record` has something to say in `column`. */
static inline bool value_applies(const struct column *column, const struct record *record)
{
	return (!column->known || (column->known & record->known)) &&
	       !(column->unless & record->frame.flags);
}

/* Whether the row's record has a value in column `index` of the target's counters. */
static inline bool value_counted(const struct row *row, uint32_t index)
{
	return row->counters && !__builtin_isnan(row->counters[index]);
}

/* Writes that value at `to`. All that write return where what is next goes. */
char *value_write_counter(char *to, const struct row *row, uint32_t index);

static inline uint64_t value_duration(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static inline uint64_t value_integer(const struct row *row, const struct column *column,
				     unsigned int index)
{
	const char *at = (const char *)row->record + column->offset;
	uint64_t wide;
	uint32_t word;

	if (column->type == COLUMN_UINT8)
		return (uint8_t)at[index];
	if (column->type == COLUMN_UINT32) {
		memcpy(&word, at + index * sizeof(word), sizeof(word));
		return word;
	}
	memcpy(&wide, at + index * sizeof(wide), sizeof(wide));
	return wide;
}

static inline float value_ratio(const struct row *row, const struct column *column)
{
	float ratio;

	memcpy(&ratio, (const char *)row->record + column->offset, sizeof(ratio));
	return ratio;
}

/* Number `index` of what the row's record has in `column`. */
static inline char *value_write(char *to, const struct row *row, const struct column *column,
				unsigned int index)
{
	const struct record *record = row->record;
	uint64_t time;

	switch (column->type) {
	case COLUMN_SINCE_START:
		time = value_duration(row->target->catalog->process.started, record->enter);
		return number_microseconds(to, time);
	case COLUMN_EPOCH_HEX:
		return number_hex(to, value_integer(row, column, 0));
	case COLUMN_METHOD:
		return (row->method_is_word ? escape_word : escape_name)(
			to, row->method, row->method_length, row->escape);
	case COLUMN_GPU_TIME:
		return number_microseconds(to, value_duration(record->started, record->ended));
	case COLUMN_CPU_TIME:
		return number_microseconds(to, value_duration(record->enter, record->leave));
	case COLUMN_RATIO:
		return number_float(to, value_ratio(row, column));
	case COLUMN_UINT8:
	case COLUMN_UINT32:
	case COLUMN_UINT64:
	default: /* there is no other: -Wswitch-enum */
		return number_decimal(to, value_integer(row, column, index));
	}
}

#endif

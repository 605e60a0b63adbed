/* SPDX-License-Identifier: MIT */
#include "output/value.h"

#include <string.h>

#include "model/method.h"
#include "output/value_time.h"

#define COLUMN_CALLER_BIT (1u << COLUMN_ID_CALLER)

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

/* Sets the caller, or takes the column out of the row. */
__attribute__((noinline)) static void find_caller(struct row *row)
{
	const struct catalog *catalog = row->target->catalog;
	const struct output_callers *callers = row->target->callers;
	const struct stack_node *node;

	row->caller = NULL;
	if (callers) {
		row->caller = callers->name(callers->context, row->record->frame.stack,
					    &row->caller_length);
	} else if ((node = caller_find(catalog, row->record->frame.stack))) {
		row->caller = row->caller_text;
		row->caller_length = caller_text(catalog, node, row->caller_text);
	}
	if (!row->caller) {
		row->columns &= ~COLUMN_CALLER_BIT;
		row->caller_length = 0;
	}
}

char *row_begin(struct row *row, const struct output_target *target, const struct record *record,
		enum escape escape, struct strbuf *buffer)
{
	const struct names *names = target->catalog->names;
	char *to;

	row->target = target;
	row->record = record;
	row->entry.slot = NULL;
	row->columns = target->layout.columns;
	row->caller_length = 0;
	if (target->cache && !target->counters && !(row->columns & COLUMN_CALLER_BIT)) {
		to = strbuf_reserve_fast(buffer, ROW_SIZE);
		to = to ? rowcache_look(target->cache, target, record, to, &row->entry) : NULL;
		if (to) {
			row_end(row, to, buffer);
			return NULL;
		}
	}
	if (row->columns & COLUMN_CALLER_BIT)
		find_caller(row);
	row->counters = target->counters ? counters_of(record, target->counters) : NULL;
	row->escape = escape;
	row->method = method_text(record, target->layout.dialect, names, &row->method_length);
	row->method_is_word =
		record->frame.kind != FRAME_KERNEL || names_is_word(names, record->name);
	to = strbuf_reserve(buffer, ROW_SIZE + counters_size(target->counters) +
					    ESCAPE_SIZE(row->method_length + row->caller_length));
	row->entry.row = to;
	return to;
}

void row_end(const struct row *row, const char *to, struct strbuf *buffer)
{
	if (row->entry.slot)
		rowcache_keep(&row->entry, to);
	buffer->length = (size_t)(to - buffer->data);
}

char *value_write_counter(char *to, const struct row *row, uint32_t index)
{
	if (row->target->counters->columns[index].real)
		return number_real(to, row->counters[index]);
	return number_whole(to, row->counters[index]);
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

char *value_write(char *to, struct row *row, const struct column *column, unsigned int index)
{
	const char *at = (const char *)row->record + column->offset, *from = to;

	switch (column->type) {
	case COLUMN_SINCE_START:
	case COLUMN_EPOCH_HEX:
	case COLUMN_GPU_TIME:
	case COLUMN_CPU_TIME:
		to = value_time_write(to, row->target, row->record, column);
		if (row->entry.slot)
			rowcache_note(&row->entry, column, from, to);
		return to;
	case COLUMN_METHOD:
		return (row->method_is_word ? escape_word : escape_name)(
			to, row->method, row->method_length, row->escape);
	case COLUMN_CALLER:
		return escape_name(to, row->caller, row->caller_length, row->escape);
	case COLUMN_REAL:
		return number_float(to, ratio_at(at));
	case COLUMN_FIELD:
	default: /* there is no other: -Wswitch-enum */
		return number_decimal(to, integer_at(at, column->value_type, index));
	}
}

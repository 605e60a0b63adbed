/* SPDX-License-Identifier: MIT */
#include "output/value.h"

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

char *row_begin(struct row *row, const struct output_target *target, const struct record *record,
		enum escape escape, struct strbuf *buffer)
{
	const struct names *names = target->catalog->names;

	row->target = target;
	row->record = record;
	row->counters = counters_of(record, target->counters);
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

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "output/header.h"
#include "output/output.h"
#include "output/value.h"

/* A row being written: its end, and the number of commas due before the next field. Commas after
 * the last field are not written. */
struct place {
	char *to;
	unsigned int due;
};

/* Usually one. If none is due, the next field overwrites it. */
static inline char *write_commas(struct place place)
{
	*place.to = ',';
	if (place.due > 1)
		memset(place.to, ',', place.due);
	return place.to + place.due;
}

static inline struct place write_column(struct place place, struct row *row,
					const struct column *column)
{
	if (!value_applies(column, row->record))
		return (struct place){place.to, place.due + column->count};
	for (unsigned int i = 0; i < column->count; i++)
		place = (struct place){value_write(write_commas(place), row, column, i), 1};
	return place;
}

static struct place write_columns(struct place place, struct row *row, uint32_t set)
{
	for (uint32_t left = set; left; left &= left - 1)
		place = write_column(place, row, &columns[__builtin_ctz(left)]);
	return place;
}

static struct place write_counters(struct place place, const struct row *row)
{
	for (uint32_t i = 0; i < row->target->counters->count; i++, place.due++)
		if (value_counted(row, i))
			place = (struct place){value_write_counter(write_commas(place), row, i), 0};
	return place;
}

static void csv_write(const struct output_target *target, const struct record *record,
		      struct strbuf *buffer)
{
	struct row row;
	struct place place = {row_begin(&row, target, record, ESCAPE_FIELD, buffer), 0};
	uint32_t set = row.columns;

	if (!place.to)
		return;
	place = write_columns(place, &row, set & COLUMNS_BEFORE_COUNTERS);
	if (target->counters)
		place = write_counters(place, &row);
	place = write_columns(place, &row, set & ~COLUMNS_BEFORE_COUNTERS);
	*place.to++ = '\n';
	row_end(&row, place.to, buffer);
}

static void csv_close(const struct output_target *target, struct strbuf *to)
{
	(void)target;
	(void)to;
}

const struct output output_csv = {
	.open = header_write,
	.write = csv_write,
	.close = csv_close,
};

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "output/header.h"
#include "output/output.h"
#include "output/value.h"

/* Mostly one. Where none is due, what comes next takes the place of the one written here. */
static inline void write_commas(struct row *row, unsigned int due)
{
	*row->to = ',';
	if (due > 1)
		memset(row->to, ',', due);
	row->to += due;
}

/* `due` commas stand before the next field; those after the last field are never written. */
static unsigned int write_column(struct row *row, const struct column *column, unsigned int due)
{
	if (!value_applies(column, row->record))
		return due + column->count;
	for (unsigned int i = 0; i < column->count; i++) {
		write_commas(row, due);
		value_write(row, column, i);
		due = 1;
	}
	return due;
}

static unsigned int write_columns(struct row *row, uint32_t set, unsigned int due)
{
	for (uint32_t left = set; left; left &= left - 1)
		due = write_column(row, &columns[__builtin_ctz(left)], due);
	return due;
}

static unsigned int write_counters(struct row *row, unsigned int due)
{
	uint32_t count = row->target->counters ? row->target->counters->count : 0;

	for (uint32_t i = 0; i < count; i++, due++) {
		if (!value_counted(row, i))
			continue;
		write_commas(row, due);
		value_write_counter(row, i);
		due = 0;
	}
	return due;
}

static void csv_write(const struct output_target *target, const struct record *record,
		      struct strbuf *to)
{
	struct row row = row_begin(target, record, ESCAPE_FIELD, to);
	uint32_t set = target->layout.columns;
	unsigned int due = 0;

	if (!row.to)
		return;
	due = write_columns(&row, set & COLUMNS_BEFORE_COUNTERS, due);
	due = write_counters(&row, due);
	write_columns(&row, set & ~COLUMNS_BEFORE_COUNTERS, due);
	*row.to++ = '\n';
	row_end(&row, to);
}

static void csv_close(const struct output_target *target, struct strbuf *to)
{
	(void)target;
	(void)to;
}

const struct output output_csv = {
	.name = "csv",
	.help = "one line per record, values separated by commas",
	.open = header_write,
	.write = csv_write,
	.close = csv_close,
};

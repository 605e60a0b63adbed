/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "output/header.h"
#include "output/output.h"
#include "output/value.h"

/* Of a size that the compiler knows. */
#define APPEND(row, text) (memcpy((row)->to, text, sizeof(text) - 1), (row)->to += sizeof(text) - 1)

/* "key=[ value ] "; a vector's numbers have ", " between them. */
static void write_column(struct row *row, const struct column *column)
{
	const struct layout *layout = &row->target->layout;

	row->to = stpcpy(row->to, column->key[layout->api][layout->dialect]);
	APPEND(row, "=[ ");
	value_write(row, column, 0);
	for (unsigned int i = 1; i < column->count; i++) {
		APPEND(row, ", ");
		value_write(row, column, i);
	}
	APPEND(row, " ] ");
}

static void write_columns(struct row *row, uint32_t set)
{
	for (uint32_t left = set; left; left &= left - 1) {
		const struct column *column = &columns[__builtin_ctz(left)];

		if (value_applies(column, row->record))
			write_column(row, column);
	}
}

static void write_counters(struct row *row)
{
	const struct counter_set *counters = row->target->counters;

	for (uint32_t i = 0; counters && i < counters->count; i++) {
		if (!value_counted(row, i))
			continue;
		row->to = stpcpy(row->to, counters->columns[i].name);
		APPEND(row, "=[ ");
		value_write_counter(row, i);
		APPEND(row, " ] ");
	}
}

static void keyval_write(const struct output_target *target, const struct record *record,
			 struct strbuf *to)
{
	struct row row = row_begin(target, record, ESCAPE_WORD, to);

	if (!row.to)
		return;
	write_columns(&row, target->layout.columns & COLUMNS_BEFORE_COUNTERS);
	write_counters(&row);
	write_columns(&row, target->layout.columns & ~COLUMNS_BEFORE_COUNTERS);
	*row.to++ = '\n';
	row_end(&row, to);
}

static void keyval_close(const struct output_target *target, struct strbuf *to)
{
	(void)target;
	(void)to;
}

const struct output output_keyval = {
	.name = "keyval",
	.help = "one line per record, each value after its name",
	.open = header_write,
	.write = keyval_write,
	.close = keyval_close,
};

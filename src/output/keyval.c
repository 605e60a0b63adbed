/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/api.h"
#include "output/header.h"
#include "output/output.h"
#include "output/value.h"

/* The size is a constant for the compiler. */
#define APPEND(to, text) ((char *)memcpy(to, text, sizeof(text) - 1) + sizeof(text) - 1)

/* "key=[ value ] "; a vector's numbers have ", " between them. */
static inline char *write_column(char *to, struct row *row, const struct column *column,
				 size_t key_offset)
{
	const struct column_key *key = (const void *)((const char *)column + key_offset);

	memcpy(to, key->text, sizeof(key->text)); /* excess bytes are overwritten */
	to = value_write(to + key->length, row, column, 0);
	for (unsigned int i = 1; i < column->count; i++)
		to = value_write(APPEND(to, ", "), row, column, i);
	return APPEND(to, " ] ");
}

static char *write_columns(char *to, struct row *row, uint32_t set)
{
	const struct layout *layout = &row->target->layout;
	enum terms terms = api_rows[layout->api].terms;
	/* Computed once for all columns. */
	size_t key_offset = offsetof(struct column, key[terms][layout->dialect]);

	for (uint32_t left = set; left; left &= left - 1) {
		const struct column *column = &columns[__builtin_ctz(left)];

		if (value_applies(column, row->record))
			to = write_column(to, row, column, key_offset);
	}
	return to;
}

static char *write_counters(char *to, const struct row *row)
{
	const struct counter_set *counters = row->target->counters;

	for (uint32_t i = 0; i < counters->count; i++) {
		if (!value_counted(row, i))
			continue;
		to = APPEND(stpcpy(to, counters->columns[i].name), "=[ ");
		to = APPEND(value_write_counter(to, row, i), " ] ");
	}
	return to;
}

static void keyval_write(const struct output_target *target, const struct record *record,
			 struct strbuf *buffer)
{
	struct row row;
	char *to = row_begin(&row, target, record, ESCAPE_WORD, buffer);

	if (!to)
		return;
	to = write_columns(to, &row, row.columns & COLUMNS_BEFORE_COUNTERS);
	if (target->counters)
		to = write_counters(to, &row);
	to = write_columns(to, &row, row.columns & ~COLUMNS_BEFORE_COUNTERS);
	*to++ = '\n';
	row_end(&row, to, buffer);
}

static void keyval_close(const struct output_target *target, struct strbuf *to)
{
	(void)target;
	(void)to;
}

const struct output output_keyval = {
	.open = header_write,
	.write = keyval_write,
	.close = keyval_close,
};

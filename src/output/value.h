/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_VALUE_H
#define OUTPUT_VALUE_H

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

/* Number `index` of what the row's record has in `column`. */
char *value_write(char *to, const struct row *row, const struct column *column, unsigned int index);

#endif

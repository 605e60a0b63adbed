/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_VALUE_H
#define OUTPUT_VALUE_H

#include "base/number.h"
#include "model/caller.h"
#include "output/escape.h"
#include "output/output.h"
#include "output/rowcache.h"

/* Size of a row without its method, caller and counters: keys, numbers and separators. */
#define ROW_SIZE (COLUMN_COUNT * (64 + 3 * (NUMBER_SIZE + 2)))

/* The data of a row. */
struct row {
	const struct output_target *target;
	const struct record *record;
	const double *counters; /* one per counter of the target, or NULL */
	enum escape escape;
	const char *method;
	size_t method_length;
	bool method_is_word;
	uint32_t columns; /* bits: those of the target that the row may have */
	const char *caller; /* if it has the column */
	size_t caller_length;
	char caller_text[CALLER_SIZE];
	struct rowcache_entry entry;
};

/* Returns where to write the row, with enough room. Returns NULL if the row is complete, as it was
 * in the target's cache; or without memory: then it sets the buffer's `failed`, and the record is
 * dropped. row_end adds the bytes before `to` to the buffer. */
char *row_begin(struct row *row, const struct output_target *target, const struct record *record,
		enum escape escape, struct strbuf *buffer);
void row_end(const struct row *row, const char *to, struct strbuf *buffer);

/* Returns true if `record` has a value in `column`. */
static inline bool value_applies(const struct column *column, const struct record *record)
{
	return (!column->known || (column->known & record->known)) &&
	       !(column->unless & record->frame.flags);
}

/* Returns true if the row's record has a value in column `index` of the target's counters. */
static inline bool value_counted(const struct row *row, uint32_t index)
{
	return row->counters && !__builtin_isnan(row->counters[index]);
}

/* Writes that value at `to`. All write functions return the end of the written text. */
char *value_write_counter(char *to, const struct row *row, uint32_t index);

/* Writes number `index` of the record's value in `column`. */
char *value_write(char *to, struct row *row, const struct column *column, unsigned int index);

#endif

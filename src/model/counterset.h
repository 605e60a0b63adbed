/* SPDX-License-Identifier: MIT */
#ifndef MODEL_COUNTERSET_H
#define MODEL_COUNTERSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/block.h"

/*
 * The counters measured for each kernel on a device, one per column, and the requested counters
 * that are not available there. A device gets another set when the program changes the counters;
 * records have the id of the set of their values.
 */
enum { COUNTER_COLUMNS = 512 /* the most */ };

/* The line of a log for a refused counter: printf's format for the length of its name and the
 * name. */
#define COUNTER_WARNING                                                                            \
	"NV_Warning: Counter '%.*s' is not compatible with other selected counters and it cannot " \
	"be profiled in this run.\n"

struct counter_column {
	const char *name; /* one word of printable ASCII without , = [ ] */
	bool real;	  /* its values have three decimals; otherwise they are integers */
};

struct counter_set {
	uint32_t id;	 /* in the catalog */
	uint32_t device; /* in the catalog */
	uint32_t count;	 /* of columns */
	const struct counter_column *columns; /* in the order of a record's values */
	const char *refused; /* names, each followed by a newline; "" if none */
	size_t width;	     /* bytes of all names; set by the catalog */
};

/* Returns true if the name is valid for a column. */
bool counter_set_name(const char *name);

/* Appends its columns as text for frames: per column n (integers) or r, the name and a newline. */
void counter_set_text(const struct counter_set *set, struct strbuf *to);

/* Parses that text, which is split at its newlines, into `columns`, which has room for
 * COUNTER_COLUMNS. Returns their number, or -1 if it is invalid. */
int counter_set_read(struct counter_column *columns, char *text, size_t length);

/* Copies the set, with `width`, to one block of mapped memory. Returns NULL without memory, or if a
 * name, a refused name or the number of columns is invalid. */
struct counter_set *counter_set_copy(const struct counter_set *set);
void counter_set_free(struct counter_set *set);

/* A record with room for the maximum number of values. */
struct counted_record {
	struct record record;
	struct counters_block counters;
	double values[COUNTER_COLUMNS];
};

/* Appends the block with the first `count` values of the set to the record. */
void counted_record_set(struct counted_record *record, uint32_t set, uint32_t count);

/* Copies the record and its values. Invalid or too many values are dropped, and so are other
 * blocks. */
void counted_record_copy(struct counted_record *to, const struct record *record);

#endif

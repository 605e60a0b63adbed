/* SPDX-License-Identifier: MIT */
#ifndef MODEL_COUNTERSET_H
#define MODEL_COUNTERSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/block.h"

/*
 * What is counted of each kernel on a device: a column each, and the counters that were asked for
 * but cannot be had there. A device may have several sets one after the other, when the program
 * asks for others; records say which of them their values belong to.
 */
enum { COUNTER_COLUMNS = 512 /* the most */ };

/* What a log says of one that is refused: printf's format for its name's length and the name. */
#define COUNTER_WARNING                                                                            \
	"NV_Warning: Counter '%.*s' is not compatible with other selected counters and it cannot " \
	"be profiled in this run.\n"

struct counter_column {
	const char *name; /* one word of printable ASCII without , = [ ] */
	bool real;	  /* its values have three decimals; otherwise they are whole numbers */
};

struct counter_set {
	uint32_t id;	 /* in the catalog */
	uint32_t device; /* in the catalog */
	uint32_t count;	 /* of columns */
	const struct counter_column *columns; /* in the order of a record's values */
	const char *refused; /* names, each ended by a newline; "" if there are none */
	size_t width;	     /* bytes of all names; filled in by the catalog */
};

/* Whether a column may be called so. */
bool counter_set_name(const char *name);

/* Its columns as text, for frames: of each n (whole numbers) or r, the name and a newline. */
void counter_set_text(const struct counter_set *set, struct strbuf *to);

/* From that text, cut up at its newlines: fills `columns`, which has room for COUNTER_COLUMNS. How
 * many, or -1 where it is none. */
int counter_set_read(struct counter_column *columns, char *text, size_t length);

/* A copy in one piece of mapped memory, with `width`; NULL without memory, or where a name, a
 * refused one, or the number of columns will not do. */
struct counter_set *counter_set_copy(const struct counter_set *set);
void counter_set_free(struct counter_set *set);

/* A record with all the values that it can have. */
struct counted_record {
	struct record record;
	struct counters_block counters;
	double values[COUNTER_COLUMNS];
};

/* Puts the block of the first `count` values of that set behind the record. */
void counted_record_set(struct counted_record *record, uint32_t set, uint32_t count);

/* The record and its values; without these, where it has none or more than that. Other blocks are
 * left out. */
void counted_record_copy(struct counted_record *to, const struct record *record);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_VALUE_COUNTS_H
#define SESSION_VALUE_COUNTS_H

#include "session/value_patterns.h"

enum { VALUE_SLOTS = 2 * VALUE_DISTINCT };

/* The different values: a hash table with open addressing. */
struct value_counts {
	struct value_count *slots; /* a count of 0: empty */
	unsigned mask;
	unsigned distinct;
	bool is_full;
	struct value_count *last;
};

/* Empties the table, whose VALUE_SLOTS slots are the caller's; `elements` values will be counted at
 * most. Only one thread at a time may use these functions. */
void value_counts_begin(struct value_counts *counts, struct value_count *slots, uint64_t elements);

/* Returns true if the value was counted before; false also if no more values are counted. */
bool value_counts_add(struct value_counts *counts, uint64_t value, uint64_t times);

/* Sets the numbers and the frequent values of the set. */
void value_counts_end(const struct value_counts *counts, struct value_set *set);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_VALUE_LINE_H
#define SESSION_VALUE_LINE_H

#include "session/value_patterns.h"

/* An element and its index. */
struct value_element {
	uint64_t bits;
	uint64_t index;
};

/* The search for a line. Each value is compared with the line between the first and the last one;
 * the sums give the line with the least squares. */
struct value_line {
	bool is_possible;
	struct value_element first, last;
	/* Of integers: the rise per index. Values are compared modulo 2^64, which is exact: between
	 * `first` and `last` the line stays in the range of the type. */
	uint64_t step;
	double slope, limit;
	double n, x, y, xx, xy, yy; /* sums: y is the value less that of the line at its index */
};

/* `first` and `last` are set, and the rest is 0. */
void value_line_begin(struct value_line *line, uint8_t type);

/* Call for each element, the first and the last one too, while the line is possible. */
void value_line_add(struct value_line *line, uint8_t type, const struct value_element *element);

/* If all are on a line, sets PATTERN_LINEAR and the function. */
void value_line_end(const struct value_line *line, uint8_t type, struct value_patterns *found);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_VALUE_PATTERNS_H
#define SESSION_VALUE_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"

/*
 * The patterns of the values in memory, in the terms of GVProf (doc/FORMAT, struct pattern). Memory
 * is constant: what is counted is the first VALUE_DISTINCT different values, and before these the
 * values at some places spread over the memory, so that a frequent value is among them.
 */
enum { VALUE_DISTINCT = 4096, VALUE_TOP = 10 };

/* How the memory is looked at. */
struct value_layout {
	uint8_t type;	 /* enum element_type */
	uint8_t width;	 /* components of the vectors that are the elements, or 1 */
	uint8_t level;	 /* of the rounding, 0: none */
	bool is_assumed; /* the type is */
};

/* A part of the contents of an object. */
struct value_part {
	const unsigned char *contents; /* of the object */
	const uint64_t *known;	       /* a bit for each word of 4 bytes of the object */
	uint64_t offset, bytes;	       /* of the part */
};

struct value_count {
	uint64_t value; /* in the bits of its type */
	uint64_t count;
};

/* What there is of the values, or of the rounded ones. */
struct value_set {
	uint32_t distinct;
	bool has_more;	/* than `distinct` */
	uint16_t kinds; /* enum pattern_kind */
	uint8_t narrow_signed, narrow_unsigned, narrow_tail;
	uint32_t top_count;
	struct value_count top[VALUE_TOP]; /* those that occur twice or more */
};

struct value_patterns {
	struct value_layout layout;
	uint64_t elements;
	struct value_set exact, rounded; /* without a level the second one is 0 */
	double slope, start, error;	 /* of PATTERN_LINEAR */
};

/* Elements of which a byte is not known do not count, nor do bytes behind the last one. Only one
 * thread at a time may call it. The environment of floating-point numbers is kept. */
void value_patterns_find(struct value_patterns *found, const struct value_part *part,
			 const struct value_layout *layout);

#endif

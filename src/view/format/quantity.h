/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_QUANTITY_H
#define VIEW_FORMAT_QUANTITY_H

#include <stdint.h>

#include "base/strbuf.h"

/*
 * Times, sizes and rates as nvprof writes them. In text each value has the largest unit that it is
 * at least one of, and as many digits as fill eight columns with the unit (of a rate: ten): five,
 * six where the unit is one letter, as in 23.808us, 3.8010ms, 1.42529s, 195.31KB, 9.3842GB/s.
 * Nanoseconds and bytes are whole numbers. KB and so on are powers of 1024.
 */
struct unit {
	double size;
	const char *name;
	int digits;   /* significant ones in text; 0: a whole number */
	int decimals; /* those that a value can have at most */
};

enum { QUANTITY_UNITS = 4, QUANTITY_AUTO = -1 };

struct quantity {
	struct unit units[QUANTITY_UNITS]; /* ascending */
};

extern const struct quantity quantity_time; /* nanoseconds: ns, us, ms, s */
extern const struct quantity quantity_size; /* bytes: B, KB, MB, GB */
extern const struct quantity quantity_rate; /* bytes in a second: B/s, KB/s, MB/s, GB/s */

/* The index of the largest unit that `value` is at least one of; 0 for less than one. */
int quantity_unit(const struct quantity *quantity, double value);

/*
 * `value` as text in the unit of this index, or QUANTITY_AUTO. In a unit that it is less than one
 * of, a value has the same number of digits as far as its precision goes: 0.001500ms.
 */
void quantity_put(struct strbuf *to, const struct quantity *quantity, int unit, double value);

/* A number that has no unit. */
void quantity_put_whole(struct strbuf *to, uint64_t value);

/* As a field of CSV: six decimals, in the unit of this index, without its name. */
void quantity_put_csv(struct strbuf *to, const struct quantity *quantity, int unit, double value);

#endif

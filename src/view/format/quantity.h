/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_QUANTITY_H
#define VIEW_FORMAT_QUANTITY_H

#include <stdint.h>

#include "base/strbuf.h"

/*
 * Times, sizes and rates in nvprof's format. In text each value has the largest unit of which it is
 * at least one, and fills eight columns with the unit (a rate: ten): five digits, six if the unit
 * is one letter, as in 23.808us, 3.8010ms, 1.42529s, 195.31KB, 9.3842GB/s. Nanoseconds and bytes
 * are integers. KB and larger units are powers of 1024.
 */
struct unit {
	double size;
	const char *name;
	int digits;   /* significant digits in text; 0: an integer */
	int decimals; /* the most decimals of a value */
};

enum { QUANTITY_UNITS = 4, QUANTITY_AUTO = -1 };

struct quantity {
	struct unit units[QUANTITY_UNITS]; /* ascending */
};

extern const struct quantity quantity_time; /* nanoseconds: ns, us, ms, s */
extern const struct quantity quantity_size; /* bytes: B, KB, MB, GB */
extern const struct quantity quantity_rate; /* bytes per second: B/s, KB/s, MB/s, GB/s */

/* Returns the index of the largest unit of which `value` is at least one; 0 for less than one. */
int quantity_unit(const struct quantity *quantity, double value);

/*
 * Appends `value` in the unit of this index, or QUANTITY_AUTO. A value below one has the same
 * number of significant digits, up to its precision: 0.001500ms.
 */
void quantity_put(struct strbuf *to, const struct quantity *quantity, int unit, double value);

/* Appends a CSV field: six decimals in the unit of this index, without its name. */
void quantity_put_csv(struct strbuf *to, const struct quantity *quantity, int unit, double value);

#endif

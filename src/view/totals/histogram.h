/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_HISTOGRAM_H
#define VIEW_TOTALS_HISTOGRAM_H

#include <stdint.h>

/*
 * How often which values came, in bounded memory: each power of two is divided into 64 parts, so
 * that the middle of a part is at most 1/129 (0.8 %) away from any value in it. Values below 128
 * are exact. A power of two that no value is in takes one pointer, the others take 512 bytes each.
 */
enum { HISTOGRAM_PARTS = 64, HISTOGRAM_ROWS = 59 };

struct histogram {
	uint64_t count;
	uint64_t *rows[HISTOGRAM_ROWS]; /* of HISTOGRAM_PARTS counts, or NULL */
};

/* All zeros is an empty one. -1 when memory ran out and the value is not in it. */
int histogram_add(struct histogram *histogram, uint64_t value);

/* Adds all values of `from`; -1 when memory ran out and only a part of them is in it. */
int histogram_add_all(struct histogram *histogram, const struct histogram *from);
void histogram_free(struct histogram *histogram);

/*
 * The value that `percent` of the values are not above (nearest rank): the middle of the part that
 * it is in. 0 without values.
 */
uint64_t histogram_percentile(const struct histogram *histogram, unsigned percent);

#endif

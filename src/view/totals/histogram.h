/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_HISTOGRAM_H
#define VIEW_TOTALS_HISTOGRAM_H

#include "model/totals.h"

/*
 * A histogram in bounded memory. Each power of two is divided into 64 parts, so the middle of a
 * part differs by at most 1/129 (0.8 %) from any value in it. Values below 128 are exact. A power
 * of two without values takes one pointer, others take 512 bytes each.
 */
enum { HISTOGRAM_PARTS = 64, HISTOGRAM_ROWS = 59 };

struct histogram {
	uint64_t count;
	bool coarse; /* it has values of buckets of running totals (model/totals.h): at most 3 %
			from the exact ones */
	uint64_t *rows[HISTOGRAM_ROWS]; /* of HISTOGRAM_PARTS counts, or NULL */
};

/* A zeroed struct is empty. Returns -1 without memory; the value is then not added. */
int histogram_add(struct histogram *histogram, uint64_t value);

/* Adds the buckets of a row, if it has any. Returns -1 without memory. */
int histogram_add_row(struct histogram *histogram, const struct totals_row *row);

/* Adds a number of values to a part, counted from that of 0. Returns -1 without memory, or if there
 * is no such part. */
int histogram_add_part(struct histogram *histogram, uint64_t part, uint64_t times);

/* Returns the number of values in a part. */
uint64_t histogram_part(const struct histogram *histogram, uint64_t part);

/* Adds all values of `from`. Returns -1 without memory; then only a part is added. */
int histogram_add_all(struct histogram *histogram, const struct histogram *from);
void histogram_free(struct histogram *histogram);

/* Returns the percentile by nearest rank, as the middle of its part or the value of its bucket. 0
 * without values. */
uint64_t histogram_percentile(const struct histogram *histogram, unsigned percent);

#endif

/* SPDX-License-Identifier: MIT */
#include "view/totals/histogram.h"

#include <stdlib.h>

enum { PART_BITS = 6 };

/* Row 0 has the values below 64, row n those from 64 << (n - 1) on. */
static unsigned row_of(uint64_t value)
{
	return value < HISTOGRAM_PARTS ? 0 : 64 - PART_BITS - (unsigned)__builtin_clzll(value);
}

static unsigned part_of(uint64_t value, unsigned row)
{
	return (unsigned)(row ? (value >> (row - 1)) - HISTOGRAM_PARTS : value);
}

static uint64_t middle(unsigned row, unsigned part)
{
	uint64_t width = row ? 1ull << (row - 1) : 1;

	return row ? (HISTOGRAM_PARTS + (uint64_t)part) * width + width / 2 : part;
}

/* Returns NULL without memory. */
static uint64_t *make_row(struct histogram *histogram, unsigned row)
{
	if (!histogram->rows[row])
		histogram->rows[row] = calloc(HISTOGRAM_PARTS, sizeof(uint64_t));
	return histogram->rows[row];
}

int histogram_add_all(struct histogram *histogram, const struct histogram *from)
{
	for (unsigned row = 0; row < HISTOGRAM_ROWS; row++) {
		uint64_t *to = from->rows[row] ? make_row(histogram, row) : NULL;

		if (from->rows[row] && !to)
			return -1;
		for (int part = 0; to && part < HISTOGRAM_PARTS; part++)
			to[part] += from->rows[row][part];
	}
	histogram->count += from->count;
	histogram->coarse |= from->coarse;
	return 0;
}

int histogram_add_part(struct histogram *histogram, uint64_t part, uint64_t times)
{
	unsigned row = (unsigned)(part / HISTOGRAM_PARTS);

	if (part >= HISTOGRAM_ROWS * HISTOGRAM_PARTS || !make_row(histogram, row))
		return -1;
	histogram->rows[row][part % HISTOGRAM_PARTS] += times;
	histogram->count += times;
	return 0;
}

uint64_t histogram_part(const struct histogram *histogram, uint64_t part)
{
	const uint64_t *row = histogram->rows[part / HISTOGRAM_PARTS];

	return row ? row[part % HISTOGRAM_PARTS] : 0;
}

static int add_times(struct histogram *histogram, uint64_t value, uint64_t times)
{
	unsigned row = row_of(value);

	return histogram_add_part(histogram, row * HISTOGRAM_PARTS + part_of(value, row), times);
}

int histogram_add(struct histogram *histogram, uint64_t value)
{
	return add_times(histogram, value, 1);
}

int histogram_add_row(struct histogram *histogram, const struct totals_row *row)
{
	const struct totals_buckets_row *with = (const void *)row;

	if (!totals_has_buckets(row))
		return 0;
	histogram->coarse = true;
	for (unsigned i = 0; i < TOTALS_BUCKETS; i++)
		if (with->buckets[i] &&
		    add_times(histogram, totals_bucket_value(i), with->buckets[i]))
			return -1;
	return 0;
}

void histogram_free(struct histogram *histogram)
{
	for (unsigned row = 0; row < HISTOGRAM_ROWS; row++)
		free(histogram->rows[row]);
	*histogram = (struct histogram){0};
}

/* Subtracts the counts of the row; returns the part in which `left` reaches 0, or -1. */
static int part_with(const uint64_t *row, uint64_t *left)
{
	for (int part = 0; row && part < HISTOGRAM_PARTS; part++) {
		if (*left <= row[part])
			return part;
		*left -= row[part];
	}
	return -1;
}

/* A part of a row is in one bucket. */
static uint64_t value_of(const struct histogram *histogram, unsigned row, unsigned part)
{
	uint64_t value = middle(row, part);

	return histogram->coarse ? totals_bucket_value(totals_bucket(value)) : value;
}

uint64_t histogram_percentile(const struct histogram *histogram, unsigned percent)
{
	uint64_t whole = histogram->count / 100 * percent;
	uint64_t left = whole + (histogram->count % 100 * percent + 99) / 100;

	if (!left)
		left = 1;
	for (unsigned row = 0; row < HISTOGRAM_ROWS && histogram->count; row++) {
		int part = part_with(histogram->rows[row], &left);

		if (part >= 0)
			return value_of(histogram, row, (unsigned)part);
	}
	return 0;
}

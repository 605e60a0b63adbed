/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PARQUET_PARQUET_PACK_H
#define VIEW_PARQUET_PARQUET_PACK_H

#include "base/strbuf.h"

/* Encodings of numbers in pages, as in Encodings.md of github.com/apache/parquet-format. Without
 * memory to->failed is set. */

/* Returns the number of bits of the largest number that may occur; 0 for 0. */
unsigned parquet_pack_width(uint64_t most);

/* Appends numbers of `width` bits, from 1 to 32, as runs of equal ones and packed groups of eight:
 * RLE. */
void parquet_pack_runs(struct strbuf *to, const uint32_t *values, size_t count, unsigned width);

/* Appends at least one number as packed differences: DELTA_BINARY_PACKED. Differences wrap
 * around. */
void parquet_pack_deltas(struct strbuf *to, const uint64_t *values, size_t count);

#endif

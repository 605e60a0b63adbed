/* SPDX-License-Identifier: MIT */
#include "view/parquet/parquet_pack.h"

#include <endian.h>
#include <string.h>

enum { GROUP = 8, MINIBLOCK = 32, MINIBLOCKS = 4, BLOCK = MINIBLOCK * MINIBLOCKS };

unsigned parquet_pack_width(uint64_t most)
{
	return most ? 64 - (unsigned)__builtin_clzll(most) : 0;
}

static void put_varint(struct strbuf *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		strbuf_char(to, (char)(value | 0x80));
	strbuf_char(to, (char)value);
}

static void put_signed(struct strbuf *to, uint64_t value)
{
	put_varint(to, value << 1 ^ (value >> 63 ? UINT64_MAX : 0));
}

/* Appends the low `width` bits of each value, up to 64, the first ones in the lowest bits. The
 * number of values is a multiple of 8, so bytes are full. */
static void put_bits(struct strbuf *to, const uint64_t *values, size_t count, unsigned width)
{
	size_t size = count / 8 * width;
	char *at = strbuf_reserve(to, size + 8);
	uint64_t bits = 0;
	unsigned filled = 0;

	if (!at)
		return;
	for (size_t i = 0; i < count && width; i++) {
		uint64_t word;

		bits |= values[i] << filled;
		filled += width;
		if (filled < 64)
			continue;
		word = htole64(bits);
		memcpy(at, &word, sizeof(word));
		at += sizeof(word);
		filled -= 64;
		bits = filled ? values[i] >> (width - filled) : 0;
	}
	bits = htole64(bits);
	memcpy(at, &bits, sizeof(bits));
	to->length += size;
}

/* Returns how many values from `at` on are equal, up to `most`. */
static size_t run_at(const uint32_t *values, size_t at, size_t count, size_t most)
{
	size_t end = at + 1;

	while (end < count && end - at < most && values[end] == values[at])
		end++;
	return end - at;
}

static void put_run(struct strbuf *to, uint32_t value, size_t count, unsigned width)
{
	uint32_t bytes = htole32(value);

	put_varint(to, (uint64_t)count << 1);
	strbuf_append(to, &bytes, (width + 7) / 8);
}

/* The last group of all is filled up with zeros. */
static void put_groups(struct strbuf *to, const uint32_t *values, size_t count, unsigned width)
{
	size_t groups = (count + GROUP - 1) / GROUP;
	uint64_t group[GROUP];

	put_varint(to, (uint64_t)groups << 1 | 1);
	for (size_t i = 0; i < groups; i++) {
		for (size_t k = 0; k < GROUP; k++)
			group[k] = i * GROUP + k < count ? values[i * GROUP + k] : 0;
		put_bits(to, group, GROUP, width);
	}
}

void parquet_pack_runs(struct strbuf *to, const uint32_t *values, size_t count, unsigned width)
{
	size_t at = 0;

	while (at < count) {
		size_t run = run_at(values, at, count, count), end = at;

		if (run >= GROUP || at + run == count) {
			put_run(to, values[at], run, width);
			at += run;
			continue;
		}
		do
			end += GROUP;
		while (end < count && run_at(values, end, count, GROUP) < GROUP);
		if (end > count)
			end = count;
		put_groups(to, values + at, end - at, width);
		at = end;
	}
}

/* Appends up to BLOCK differences. Those after the end of the last miniblock are 0, and unused
 * miniblocks have no bits. */
static void put_block(struct strbuf *to, uint64_t deltas[BLOCK], size_t count)
{
	unsigned widths[MINIBLOCKS] = {0};
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < count; i++)
		if ((int64_t)deltas[i] < least)
			least = (int64_t)deltas[i];
	for (size_t i = 0; i < BLOCK; i++) {
		unsigned *width = &widths[i / MINIBLOCK], own;

		deltas[i] = i < count ? deltas[i] - (uint64_t)least : 0;
		own = parquet_pack_width(deltas[i]);
		*width = own > *width ? own : *width;
	}
	put_signed(to, (uint64_t)least);
	for (size_t i = 0; i < MINIBLOCKS; i++)
		strbuf_char(to, (char)widths[i]);
	for (size_t i = 0; i < MINIBLOCKS; i++)
		put_bits(to, deltas + i * MINIBLOCK, MINIBLOCK, widths[i]);
}

void parquet_pack_deltas(struct strbuf *to, const uint64_t *values, size_t count)
{
	uint64_t deltas[BLOCK];

	put_varint(to, BLOCK);
	put_varint(to, MINIBLOCKS);
	put_varint(to, count);
	put_signed(to, values[0]);
	for (size_t at = 1; at < count; at += BLOCK) {
		size_t here = count - at < BLOCK ? count - at : BLOCK;

		for (size_t i = 0; i < here; i++)
			deltas[i] = values[at + i] - values[at + i - 1];
		put_block(to, deltas, here);
	}
}

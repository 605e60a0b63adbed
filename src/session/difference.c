/* SPDX-License-Identifier: MIT */
#include "session/difference.h"

#include <stdbool.h>
#include <string.h>

/* Returns a bit for each word of which at least one byte is in the range. */
static uint64_t words_of(unsigned from, unsigned to)
{
	unsigned first = from / DIFFERENCE_WORD, end = (to + DIFFERENCE_WORD - 1) / DIFFERENCE_WORD;
	uint64_t below = end < 64 ? (UINT64_C(1) << end) - 1 : UINT64_MAX;

	return below & ~((UINT64_C(1) << first) - 1);
}

/* Number of the word's bytes that are 0. */
static unsigned zero_bytes(uint32_t word)
{
	uint32_t low = ((word & 0x7f7f7f7f) + 0x7f7f7f7f) | word; /* bit 7: the byte is not 0 */

	return DIFFERENCE_WORD - (unsigned)__builtin_popcount(low & 0x80808080);
}

static void add_word(struct difference *sum, const unsigned char *before,
		     const unsigned char *after, bool is_known)
{
	uint32_t old, new;
	unsigned equal;

	memcpy(&old, before, sizeof(old));
	memcpy(&new, after, sizeof(new));
	equal = zero_bytes(old ^ new);
	sum->changed += DIFFERENCE_WORD - equal;
	if (!is_known)
		return;
	sum->same += equal;
	sum->same_words += equal == DIFFERENCE_WORD;
}

/* Adds the bytes of a word that is only partly in the range. */
static void add_part(struct difference *sum, const unsigned char *before,
		     const unsigned char *after, unsigned bytes, bool is_known)
{
	for (unsigned i = 0; i < bytes; i++) {
		sum->changed += before[i] != after[i];
		sum->same += is_known && before[i] == after[i];
	}
}

/* Adds a block that has not changed. Such blocks are frequent: their words are not compared. */
static void add_equal_block(struct difference *sum, uint64_t *known)
{
	unsigned words = (unsigned)__builtin_popcountll(*known);

	sum->same += DIFFERENCE_WORD * (uint64_t)words;
	sum->same_words += words;
	*known = UINT64_MAX;
}

void difference_add(struct difference *sum, unsigned char *before, uint64_t *known,
		    const unsigned char *after, unsigned from, unsigned to)
{
	if (!from && to == DIFFERENCE_BLOCK && !memcmp(before, after, DIFFERENCE_BLOCK)) {
		add_equal_block(sum, known);
		return;
	}
	for (unsigned at = from; at < to;) {
		unsigned word = at / DIFFERENCE_WORD, next = (word + 1) * DIFFERENCE_WORD;
		unsigned bytes = (next < to ? next : to) - at;
		bool is_known = *known >> word & 1;

		if (bytes == DIFFERENCE_WORD)
			add_word(sum, before + at, after + (at - from), is_known);
		else
			add_part(sum, before + at, after + (at - from), bytes, is_known);
		at += bytes;
	}
	memcpy(before + from, after, to - from);
	*known |= words_of(from, to);
}

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_DIFFERENCE_H
#define SESSION_DIFFERENCE_H

#include <stdint.h>

/*
 * What a write has changed: the contents of memory before and after it are compared, in words of 4
 * bytes. A word is known if it was in an earlier write; in unknown words no byte is "the same",
 * since new memory may happen to have the bytes that are written first.
 */
enum { DIFFERENCE_WORD = 4, DIFFERENCE_BLOCK = 64 * DIFFERENCE_WORD };

struct difference {
	uint64_t same;	     /* bytes of known words that are equal */
	uint64_t same_words; /* known words that are equal and completely in the range */
	uint64_t changed;    /* bytes that differ, also of unknown words */
};

/*
 * Compares the bytes from `from` to `to` (exclusive) of a block of DIFFERENCE_BLOCK bytes, adds the
 * result to `sum`, and copies the new bytes to `before`. after[0] is the new byte at `from`; bytes
 * outside of the range are not read. Bit N of `known` says that word N is known; the bits of all
 * words in the range are set afterwards.
 */
void difference_add(struct difference *sum, unsigned char *before, uint64_t *known,
		    const unsigned char *after, unsigned from, unsigned to);

#endif

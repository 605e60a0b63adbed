/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>

#include "base/text.h"

#define ENTRIES(array) (sizeof(array) / sizeof((array)[0]))

static int lower(char byte)
{
	return (unsigned char)text_lower(byte);
}

int text_compare(const char *left, const char *right)
{
	while (*left && lower(*left) == lower(*right)) {
		left++;
		right++;
	}
	return lower(*left) - lower(*right);
}

/* clang-format off */
/* The first bytes of UTF-8 sequences (no overlong form, no surrogate, nothing above U+10FFFF),
 * without the control characters U+0080 to U+009F. The other bytes of a sequence are 80 to bf. */
static const struct lead {
	uint8_t first, last;  /* of the first byte */
	uint8_t lowest, highest; /* of the second byte */
	uint8_t length;
} leads[] = {
	{ .first = 0xc2, .last = 0xc2, .lowest = 0xa0, .highest = 0xbf, .length = 2 },
	{ .first = 0xc3, .last = 0xdf, .lowest = 0x80, .highest = 0xbf, .length = 2 },
	{ .first = 0xe0, .last = 0xe0, .lowest = 0xa0, .highest = 0xbf, .length = 3 },
	{ .first = 0xe1, .last = 0xec, .lowest = 0x80, .highest = 0xbf, .length = 3 },
	{ .first = 0xed, .last = 0xed, .lowest = 0x80, .highest = 0x9f, .length = 3 },
	{ .first = 0xee, .last = 0xef, .lowest = 0x80, .highest = 0xbf, .length = 3 },
	{ .first = 0xf0, .last = 0xf0, .lowest = 0x90, .highest = 0xbf, .length = 4 },
	{ .first = 0xf1, .last = 0xf3, .lowest = 0x80, .highest = 0xbf, .length = 4 },
	{ .first = 0xf4, .last = 0xf4, .lowest = 0x80, .highest = 0x8f, .length = 4 },
};

/* clang-format on */

static const struct lead *find_lead(uint8_t byte)
{
	for (size_t i = 0; i < ENTRIES(leads); i++) {
		if (byte >= leads[i].first && byte <= leads[i].last)
			return &leads[i];
	}
	return NULL;
}

size_t text_sequence(const char *text, size_t left)
{
	const uint8_t *at = (const uint8_t *)text;
	const struct lead *lead = find_lead(at[0]);

	if (!lead || lead->length > left || at[1] < lead->lowest || at[1] > lead->highest)
		return 0;
	for (size_t i = 2; i < lead->length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	}
	/* U+2028 and U+2029 are line ends for some readers. */
	if (memcmp(at, "\xe2\x80", 2) == 0 && (at[2] & 0xfe) == 0xa8)
		return 0;
	return lead->length;
}

/* clang-format off */
/* Invisible characters and those that reorder text: Unicode's Default_Ignorable_Code_Point and
 * Bidi_Control. First and last of each range in UTF-8, compared as text. No pointers are used: each
 * would need a relocation at every start. */
static const struct hidden {
	char first[5], last[5];
} hidden[] = {
	{ "\xc2\xad", "\xc2\xad" },			/* U+00AD soft hyphen */
	{ "\xcd\x8f", "\xcd\x8f" },			/* U+034F grapheme joiner */
	{ "\xd8\x9c", "\xd8\x9c" },			/* U+061C Arabic letter mark */
	{ "\xe1\x85\x9f", "\xe1\x85\xa0" },		/* U+115F, U+1160 Hangul fillers */
	{ "\xe1\xa0\x8b", "\xe1\xa0\x8f" },		/* U+180B to U+180F Mongolian */
	{ "\xe2\x80\x8b", "\xe2\x80\x8f" },		/* U+200B to U+200F zero width, marks */
	{ "\xe2\x80\xa8", "\xe2\x80\xae" },		/* U+2028 to U+202E lines, overrides */
	{ "\xe2\x81\xa0", "\xe2\x81\xaf" },		/* U+2060 to U+206F joiners, isolates */
	{ "\xe3\x85\xa4", "\xe3\x85\xa4" },		/* U+3164 Hangul filler */
	{ "\xef\xb8\x80", "\xef\xb8\x8f" },		/* U+FE00 to U+FE0F variations */
	{ "\xef\xbb\xbf", "\xef\xbb\xbf" },		/* U+FEFF byte order mark */
	{ "\xef\xbe\xa0", "\xef\xbe\xa0" },		/* U+FFA0 Hangul filler */
	{ "\xef\xbf\xb0", "\xef\xbf\xbb" },		/* U+FFF0 to U+FFFB annotations */
	{ "\xf0\x9d\x85\xb3", "\xf0\x9d\x85\xba" },	/* U+1D173 to U+1D17A music */
	{ "\xf3\xa0\x80\x80", "\xf3\xa0\xbf\xbf" },	/* U+E0000 to U+E0FFF tags */
};

/* clang-format on */

bool text_is_hidden(const char *sequence, size_t size)
{
	for (size_t i = 0; i < ENTRIES(hidden); i++)
		if (strlen(hidden[i].first) == size &&
		    memcmp(sequence, hidden[i].first, size) >= 0 &&
		    memcmp(sequence, hidden[i].last, size) <= 0)
			return true;
	return false;
}

/* Returns the number of bytes at `at` to copy together; 0 if the first must be escaped. */
static size_t plain(const char *at, size_t left)
{
	unsigned char byte = (unsigned char)*at;
	size_t size;

	if (byte >= 0x80) {
		size = text_sequence(at, left);
		return text_is_hidden(at, size) ? 0 : size;
	}
	return byte >= 0x20 && byte != 0x7f;
}

/* `to` has room for 4 bytes. */
static void visible_byte(char *to, unsigned char byte)
{
	static const char digits[] = "0123456789abcdef";

	to[0] = '\\';
	to[1] = 'x';
	to[2] = digits[byte >> 4];
	to[3] = digits[byte & 15];
}

size_t text_visible(char *to, size_t room, const char *from, size_t size, size_t *taken)
{
	size_t length = 0, at = 0;

	while (at < size) {
		size_t copied = plain(from + at, size - at);
		size_t count = copied ? copied : 4;

		if (count > room - length)
			break;
		if (copied)
			memcpy(to + length, from + at, copied);
		else
			visible_byte(to + length, (unsigned char)from[at]);
		at += copied ? copied : 1;
		length += count;
	}
	if (taken)
		*taken = at;
	return length;
}

bool text_is_visible(const char *text, size_t size)
{
	for (size_t step; size; text += step, size -= step) {
		step = plain(text, size);
		if (!step)
			return false;
	}
	return true;
}

static bool is_word_byte(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte == '_' || byte == '$' || byte == '.';
}

bool text_is_word(const char *text, size_t size)
{
	while (size && is_word_byte(text[size - 1]))
		size--;
	return !size;
}

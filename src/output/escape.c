/* SPDX-License-Identifier: MIT */
#include "output/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Kinds of bytes that are not simply copied. */
enum {
	CONTROL = 1 << 0,
	HIGH = 1 << 1,
	BACKSLASH = 1 << 2,
	BLANK = 1 << 3,
	BRACKET = 1 << 4,
	COMMA = 1 << 5,
};

/* clang-format off */
static const uint8_t kinds[256] = {
	[0 ... 0x1f] = CONTROL, [0x7f] = CONTROL, [0x80 ... 0xff] = HIGH,
	['\\'] = BACKSLASH, [' '] = BLANK, [']'] = BRACKET, [','] = COMMA,
};

static const uint8_t special[] = {
	[ESCAPE_TEXT]  = CONTROL | HIGH | BACKSLASH,
	[ESCAPE_WORD]  = CONTROL | HIGH | BACKSLASH | BLANK | BRACKET,
	[ESCAPE_FIELD] = CONTROL | HIGH | BACKSLASH | BLANK | BRACKET | COMMA,
};

/* How UTF-8 sequences begin (no overlong form, no surrogate, nothing above U+10FFFF) without the
 * control characters U+0080 to U+009F; a sequence's other bytes are 80 to bf. */
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

/* What a reader of CSV takes for something else than a row where a line starts with it, and what a
 * spreadsheet takes for a formula where a field does. */
static const char *const openings[] = { "\"", "#", "NV_Warning", "NV_Error", "=", "+", "-", "@" };
/* clang-format on */

#define ENTRIES(array) (sizeof(array) / sizeof((array)[0]))

static char *write_escaped(char *to, uint8_t byte)
{
	static const char digits[] = "0123456789abcdef";

	to[0] = '\\';
	to[1] = 'x';
	to[2] = digits[byte >> 4];
	to[3] = digits[byte & 15];
	return to + 4;
}

static const struct lead *find_lead(uint8_t byte)
{
	for (size_t i = 0; i < ENTRIES(leads); i++) {
		if (byte >= leads[i].first && byte <= leads[i].last)
			return &leads[i];
	}
	return NULL;
}

/* Length of the harmless UTF-8 sequence at `at`, 0 if there is none. */
static size_t sequence_length(const uint8_t *at, size_t left)
{
	const struct lead *lead = find_lead(at[0]);

	if (!lead || lead->length > left || at[1] < lead->lowest || at[1] > lead->highest)
		return 0;
	for (size_t i = 2; i < lead->length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	}
	/* U+2028 and U+2029 end a line for some readers. */
	if (memcmp(at, "\xe2\x80", 2) == 0 && (at[2] & 0xfe) == 0xa8)
		return 0;
	return lead->length;
}

/* How many bytes at `at`, the first of a special kind, can be copied as they are. */
static size_t harmless(const uint8_t *at, size_t left)
{
	switch (kinds[*at]) {
	case HIGH:
		return sequence_length(at, left);
	case BACKSLASH:
		return left < 2 || at[1] != 'x';
	case BRACKET:
		return left > 1 && at[1] != ' ';
	default:
		return 0;
	}
}

static bool opening(const char *name, size_t length)
{
	for (size_t i = 0; i < ENTRIES(openings); i++) {
		size_t size = strlen(openings[i]);

		if (length >= size && memcmp(name, openings[i], size) == 0)
			return true;
	}
	return false;
}

char *escape_name(char *to, const char *name, size_t length, enum escape escape)
{
	const uint8_t *at = (const uint8_t *)name;
	const uint8_t *end = at + length;
	uint8_t mask = special[escape];

	if (escape == ESCAPE_FIELD && opening(name, length))
		to = write_escaped(to, *at++);
	while (at < end) {
		size_t size = kinds[*at] & mask ? harmless(at, (size_t)(end - at)) : 1;

		if (!size)
			to = write_escaped(to, *at++);
		while (size--)
			*to++ = (char)*at++;
	}
	return to;
}

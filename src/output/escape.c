/* SPDX-License-Identifier: MIT */
#include "output/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

/* Kinds of bytes that are not simply copied. */
enum {
	CONTROL = 1 << 0,
	HIGH = 1 << 1,
	BACKSLASH = 1 << 2,
	BLANK = 1 << 3,
	BRACKET = 1 << 4,
	COMMA = 1 << 5,
	OPENING = 1 << 6, /* at the start of a field, CSV readers or spreadsheets interpret it */
};

/* clang-format off */
static const uint8_t kinds[256] = {
	[0 ... 0x1f] = CONTROL, [0x7f] = CONTROL, [0x80 ... 0xff] = HIGH,
	['\\'] = BACKSLASH, [' '] = BLANK, [']'] = BRACKET, [','] = COMMA,
	['"'] = OPENING, ['#'] = OPENING, ['='] = OPENING, ['+'] = OPENING, ['-'] = OPENING,
	['@'] = OPENING,
};

static const uint8_t special[] = {
	[ESCAPE_TEXT]  = CONTROL | HIGH | BACKSLASH,
	[ESCAPE_WORD]  = CONTROL | HIGH | BACKSLASH | BLANK | BRACKET,
	[ESCAPE_SHOWN] = CONTROL | HIGH | BACKSLASH,
	[ESCAPE_FIELD] = CONTROL | HIGH | BACKSLASH | BLANK | BRACKET | COMMA,
};
/* clang-format on */

static char *write_escaped(char *to, uint8_t byte)
{
	static const char digits[] = "0123456789abcdef";

	to[0] = '\\';
	to[1] = 'x';
	to[2] = digits[byte >> 4];
	to[3] = digits[byte & 15];
	return to + 4;
}

/* Returns how many bytes at `at`, where the first is of a special kind, can be copied unchanged. */
static size_t harmless(const uint8_t *at, size_t left, enum escape escape)
{
	size_t size;

	switch (kinds[*at]) {
	case HIGH:
		size = text_sequence((const char *)at, left);
		return escape == ESCAPE_SHOWN && text_is_hidden((const char *)at, size) ? 0 : size;
	case BACKSLASH:
		return left < 2 || at[1] != 'x';
	case BRACKET:
		return left > 1 && at[1] != ' ';
	default:
		return 0;
	}
}

static bool begins(const char *name, size_t length, const char *text)
{
	size_t size = strlen(text);

	return length >= size && memcmp(name, text, size) == 0;
}

static bool opening(const char *name, size_t length)
{
	if (!length)
		return false;
	if (*name == 'N')
		return begins(name, length, "NV_Warning") || begins(name, length, "NV_Error");
	return kinds[(uint8_t)*name] & OPENING;
}

char *escape_name(char *to, const char *name, size_t length, enum escape escape)
{
	const uint8_t *at = (const uint8_t *)name;
	const uint8_t *end = at + length;
	uint8_t mask = special[escape];

	if (escape == ESCAPE_FIELD && opening(name, length))
		to = write_escaped(to, *at++);
	while (at < end) {
		size_t size = kinds[*at] & mask ? harmless(at, (size_t)(end - at), escape) : 1;

		if (!size)
			to = write_escaped(to, *at++);
		while (size--)
			*to++ = (char)*at++;
	}
	return to;
}

void escape_put(struct strbuf *to, const char *name, size_t length, enum escape escape)
{
	char *at = strbuf_reserve(to, ESCAPE_SIZE(length));

	if (at)
		to->length += (size_t)(escape_name(at, name, length, escape) - at);
}

char *escape_word(char *to, const char *name, size_t length, enum escape escape)
{
	if (escape == ESCAPE_FIELD && opening(name, length))
		return escape_name(to, name, length, escape);
	memcpy(to, name, length);
	return to + length;
}

/* SPDX-License-Identifier: MIT */
#include "output/unescape.h"

#include <string.h>

/* Returns the byte of the escape \xNN at the start of `text`, or -1. */
static int escaped_byte(struct log_text text)
{
	static const char digits[] = "0123456789abcdef";
	const char *high, *low;

	if (text.length < 4 || text.text[1] != 'x')
		return -1;
	high = memchr(digits, text.text[2], 16);
	low = memchr(digits, text.text[3], 16);
	return high && low ? (int)((high - digits) * 16 + (low - digits)) : -1;
}

void unescape_name(struct log_text text, struct strbuf *to)
{
	while (text.length) {
		const char *at = memchr(text.text, '\\', text.length);
		size_t plain = at ? (size_t)(at - text.text) : text.length;
		int byte;

		strbuf_append(to, text.text, plain);
		text.text += plain;
		text.length -= plain;
		if (!at)
			return;
		byte = escaped_byte(text);
		strbuf_char(to, byte < 0 ? '\\' : (char)byte);
		text.text += byte < 0 ? 1 : 4;
		text.length -= byte < 0 ? 1 : 4;
	}
}

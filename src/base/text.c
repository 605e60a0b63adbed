/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/text.h"

static int lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : (unsigned char)byte;
}

int text_compare(const char *left, const char *right)
{
	while (*left && lower(*left) == lower(*right)) {
		left++;
		right++;
	}
	return lower(*left) - lower(*right);
}

/* One byte as it may be shown; `to` has room for 4. Returns how many were written. */
static size_t visible_byte(char *to, unsigned char byte)
{
	static const char digits[] = "0123456789abcdef";

	if (byte >= 0x20 && byte != 0x7f) {
		to[0] = (char)byte;
		return 1;
	}
	to[0] = '\\';
	to[1] = 'x';
	to[2] = digits[byte >> 4];
	to[3] = digits[byte & 15];
	return 4;
}

size_t text_visible(char *to, size_t room, const char *from, size_t size, size_t *taken)
{
	size_t length = 0, at;

	for (at = 0; at < size; at++) {
		char shown[4];
		size_t count = visible_byte(shown, (unsigned char)from[at]);

		if (count > room - length)
			break;
		memcpy(to + length, shown, count);
		length += count;
	}
	if (taken)
		*taken = at;
	return length;
}

/* SPDX-License-Identifier: MIT */
#include "base/pathlist.h"

#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789abcdef";

void pathlist_put(struct strbuf *to, const char *path)
{
	for (const unsigned char *at = (const unsigned char *)path; *at; at++) {
		char escaped[4] = {'\\', 'x', digits[*at >> 4], digits[*at & 15]};

		if (*at < ' ' || *at == 0x7f || *at == '\\')
			strbuf_append(to, escaped, sizeof(escaped));
		else
			strbuf_char(to, (char)*at);
	}
}

/* Returns -1 if `byte` is not a hexadecimal digit. */
static int digit(char byte)
{
	const char *at = byte ? strchr(digits, byte) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Returns the byte of an escape, 0 if there is none. */
static char escaped_byte(const char *at, size_t left)
{
	if (left < 4 || at[0] != '\\' || at[1] != 'x' || digit(at[2]) < 0 || digit(at[3]) < 0)
		return '\0';
	return (char)(digit(at[2]) << 4 | digit(at[3]));
}

char *pathlist_get(const char *line, size_t length)
{
	char *path = malloc(length + 1), *to = path;

	if (!path)
		return NULL;
	for (size_t i = 0; i < length; i++) {
		char byte = escaped_byte(line + i, length - i);

		*to++ = byte ? byte : line[i];
		i += byte ? 3 : 0;
	}
	*to = '\0';
	return path;
}

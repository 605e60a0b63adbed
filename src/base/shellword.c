/* SPDX-License-Identifier: MIT */
#include "base/shellword.h"

#include <stdbool.h>
#include <string.h>

static bool is_harmless(const char *text)
{
	static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "0123456789/._-+,:@%";

	return *text && !text[strspn(text, harmless)];
}

static bool is_control(char byte)
{
	return (unsigned char)byte < ' ' || byte == 0x7f;
}

static bool has_controls(const char *text)
{
	while (*text && !is_control(*text))
		text++;
	return *text;
}

static void put_escaped(struct strbuf *to, const char *text)
{
	strbuf_string(to, "$'");
	for (; *text; text++) {
		if (is_control(*text))
			strbuf_printf(to, "\\%03o", (unsigned)(unsigned char)*text);
		else if (*text == '\'' || *text == '\\')
			strbuf_printf(to, "\\%c", *text);
		else
			strbuf_char(to, *text);
	}
	strbuf_char(to, '\'');
}

void shellword_put(struct strbuf *to, const char *text)
{
	if (is_harmless(text)) {
		strbuf_string(to, text);
		return;
	}
	if (has_controls(text)) {
		put_escaped(to, text);
		return;
	}
	strbuf_char(to, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			strbuf_string(to, "'\\''");
		else
			strbuf_char(to, *text);
	}
	strbuf_char(to, '\'');
}

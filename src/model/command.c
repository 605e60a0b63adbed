/* SPDX-License-Identifier: MIT */
#include "model/command.h"

#include <string.h>

#include "base/text.h"

const char *command_next(const struct process *process, size_t *at, size_t *length)
{
	const char *word = process->command + *at;

	if (*at >= process->command_length)
		return NULL;
	*length = strnlen(word, process->command_length - *at);
	*at += *length + 1;
	return word;
}

static void put_word(struct strbuf *to, const char *word, size_t length)
{
	size_t room = 4 * length;
	char *text = strbuf_reserve(to, room);

	if (text)
		to->length += text_visible(text, room, word, length, NULL);
}

/* Cuts the text so that no escape or character is split. */
static void cut(struct strbuf *to, size_t length)
{
	while (length && ((unsigned char)to->data[length] & 0xc0) == 0x80)
		length--;
	for (size_t back = 1; back < 4 && back <= length; back++) {
		const char *at = to->data + length - back;

		if (at[0] == '\\' && at[1] == 'x')
			length -= back;
	}
	to->length = length;
	strbuf_string(to, "...");
}

void command_put(struct strbuf *to, const struct process *process, size_t most)
{
	size_t start = to->length, at = 0, length;
	const char *word;

	while ((word = command_next(process, &at, &length))) {
		if (word != process->command)
			strbuf_char(to, ' ');
		put_word(to, word, length);
	}
	if (to->length - start > most)
		cut(to, start + most - 3);
}

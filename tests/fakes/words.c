/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <stdlib.h>
#include <string.h>

static void read_word(const struct word *words, const char *variable, char *text)
{
	char *value = strchr(text, '=');

	if (value)
		*value++ = '\0';
	for (const struct word *word = words; word->name; word++) {
		if (strcmp(word->name, text) != 0)
			continue;
		if (word->text)
			*word->text = value ? value : "";
		else
			*word->number = value ? strtoll(value, NULL, 0) : 1;
		return;
	}
	complain("%s has no word '%s'", variable, text);
}

void words_read(const struct word *words, const char *variable)
{
	static char buffer[4096];
	const char *text = getenv(variable);
	char *rest;

	if (!text)
		return;
	strncpy(buffer, text, sizeof(buffer) - 1);
	for (char *word = strtok_r(buffer, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		read_word(words, variable, word);
}

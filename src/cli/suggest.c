/* SPDX-License-Identifier: MIT */
#include "cli/suggest.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/library.h"
#include "model/column.h"
#include "model/counter.h"
#include "settings/options.h"

#define EXTENSION ".conf"

enum { NAME = 128 };

unsigned suggest_distance(const char *left, const char *right)
{
	unsigned row[NAME];
	size_t length = strnlen(right, NAME - 1);

	for (size_t i = 0; i <= length; i++)
		row[i] = (unsigned)i;
	for (unsigned line = 1; *left; left++, line++) {
		unsigned corner = row[0];

		row[0] = line;
		for (size_t i = 1; i <= length; i++) {
			unsigned changed = corner + ((*left | 0x20) != (right[i - 1] | 0x20));

			corner = row[i];
			row[i] = row[i] < row[i - 1] ? row[i] + 1 : row[i - 1] + 1;
			row[i] = changed < row[i] ? changed : row[i];
		}
	}
	return row[length];
}

void suggest_begin(struct suggestion *nearest, const char *word)
{
	*nearest = (struct suggestion){.word = word};
	/* Accepts one mistake per three bytes, and one in a word of two bytes. */
	for (int i = 0; i < SUGGEST_MOST; i++)
		nearest->nearest[i].distance = (unsigned)(strlen(word) + 2) / 3 + 1;
}

static bool is_offered(const struct suggestion *nearest, const char *candidate)
{
	for (int i = 0; i < SUGGEST_MOST; i++)
		if (!strcmp(nearest->nearest[i].text, candidate))
			return true;
	return false;
}

void suggest_offer(struct suggestion *nearest, const char *candidate)
{
	unsigned distance = suggest_distance(nearest->word, candidate);
	int place = SUGGEST_MOST;

	while (place && distance < nearest->nearest[place - 1].distance)
		place--;
	if (place == SUGGEST_MOST || strlen(candidate) >= sizeof(nearest->nearest[0].text) ||
	    is_offered(nearest, candidate))
		return;
	for (int i = SUGGEST_MOST - 1; i > place; i--)
		nearest->nearest[i] = nearest->nearest[i - 1];
	nearest->nearest[place].distance = distance;
	strcpy(nearest->nearest[place].text, candidate);
}

void suggest_put(struct strbuf *to, const struct suggestion *nearest)
{
	if (*nearest->nearest[0].text)
		strbuf_printf(to, "; did you mean %s?", nearest->nearest[0].text);
}

void suggest_put_several(struct strbuf *to, const struct suggestion *nearest)
{
	int count = 0;

	/* Names that are much less similar than the first one are not meant. */
	while (count < SUGGEST_MOST && *nearest->nearest[count].text &&
	       nearest->nearest[count].distance <= nearest->nearest[0].distance + 1)
		count++;
	for (int i = 0; i < count; i++)
		strbuf_printf(to, "%s%s",
			      i == 0	      ? "; did you mean "
			      : i + 1 < count ? ", "
					      : " or ",
			      nearest->nearest[i].text);
	strbuf_string(to, count ? "?" : "");
}

void suggest_offer_choices(struct suggestion *nearest, const char *choices)
{
	while (*choices) {
		size_t length = strcspn(choices, "|");
		char word[NAME];

		snprintf(word, sizeof(word), "%.*s", (int)length, choices);
		suggest_offer(nearest, word);
		choices += length + (choices[length] == '|');
	}
}

void suggest_offer_commands(struct suggestion *nearest)
{
	for (int i = COMMAND_RUN + 1; i < COMMAND_COUNT; i++) {
		suggest_offer(nearest, commands[i].name);
		if (commands[i].alias)
			suggest_offer(nearest, commands[i].alias);
	}
}

void suggest_offer_words(struct suggestion *nearest)
{
	for (unsigned i = 0; i < COLUMN_COUNT; i++) {
		if (columns[i].option)
			suggest_offer(nearest, columns[i].option);
		if (columns[i].alias)
			suggest_offer(nearest, columns[i].alias);
	}
	for (const struct option_row *row = option_rows; *row->name; row++)
		if (!*row->section)
			suggest_offer(nearest, row->name);
	for (int id = 0; id < COUNTER_COUNT; id++)
		suggest_offer(nearest, counter_get(id).name);
}

void suggest_offer_configs(struct suggestion *nearest)
{
	DIR *directory = opendir(library_configs());
	const struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		size_t length = strlen(entry->d_name), tail = strlen(EXTENSION);
		char name[NAME];

		if (length <= tail || length - tail >= sizeof(name) ||
		    strcmp(entry->d_name + length - tail, EXTENSION))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(length - tail), entry->d_name);
		suggest_offer(nearest, name);
	}
	if (directory)
		closedir(directory);
}

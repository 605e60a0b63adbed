/* SPDX-License-Identifier: MIT */
#include "cli/suggest.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

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
	/* Accepts one mistake per three bytes, and one in a word of two bytes. */
	*nearest =
		(struct suggestion){.word = word, .distance = (unsigned)(strlen(word) + 2) / 3 + 1};
}

void suggest_offer(struct suggestion *nearest, const char *candidate)
{
	unsigned distance = suggest_distance(nearest->word, candidate);

	if (distance >= nearest->distance || strlen(candidate) >= sizeof(nearest->best))
		return;
	nearest->distance = distance;
	strcpy(nearest->best, candidate);
}

void suggest_put(struct strbuf *to, const struct suggestion *nearest)
{
	if (*nearest->best)
		strbuf_printf(to, "; did you mean %s?", nearest->best);
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

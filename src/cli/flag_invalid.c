/* SPDX-License-Identifier: MIT */
/* Messages about options that a command does not have. */
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/flag.h"
#include "cli/nvprof/nvprof_table.h"
#include "cli/suggest.h"

enum { NAME = 128 };

static bool has_name(const struct flag_row *row, const char *word)
{
	if (word[1] != '-')
		return row->letter && row->letter == word[1];
	return !strcmp(row->name, word + 2) || (row->alias && !strcmp(row->alias, word + 2));
}

/* Returns the bit set of the commands that have the option. */
static uint32_t owners_of(const char *word)
{
	uint32_t owners = 0;

	for (int i = 0; i < FLAG_COUNT; i++)
		if (has_name(&flag_rows[i], word))
			owners |= flag_rows[i].commands;
	return owners;
}

/* Appends the long options that begin with `word`, if there are several. */
static bool put_ambiguous(struct strbuf *to, enum command_id command, const char *word)
{
	size_t length = strlen(word + 2);
	int count = 0;

	for (int i = 0; length && i < FLAG_COUNT; i++) {
		if (!flag_belongs(i, command) || strncmp(flag_rows[i].name, word + 2, length) != 0)
			continue;
		strbuf_printf(to, "%s--%s", count ? ", " : "", flag_rows[i].name);
		count++;
	}
	return count > 1;
}

/* Appends "; did you mean --NAME?" or, if no name is near, where the options are listed. */
static void put_hint(struct strbuf *to, enum command_id command, const char *word)
{
	struct suggestion nearest;
	const char *name = commands[command].name;

	suggest_begin(&nearest, word);
	for (int i = 0; word[1] == '-' && i < FLAG_COUNT; i++) {
		struct strbuf option = STRBUF_INIT;

		strbuf_printf(&option, "--%s", flag_rows[i].name);
		if (flag_belongs(i, command))
			suggest_offer(&nearest, strbuf_text(&option));
		strbuf_free(&option);
	}
	suggest_put(to, &nearest);
	if (!to->length)
		strbuf_printf(to, "; see 'computeprof%s%s --help'", name ? " " : "",
			      name ? name : "");
}

static void say_unknown(enum command_id command, const char *word)
{
	struct strbuf text = STRBUF_INIT;

	command_put_names(&text, owners_of(word));
	if (text.length) {
		say("option '%s' belongs to %s, not to computeprof %s", word, strbuf_text(&text),
		    commands[command].name ? commands[command].name : "PROGRAM");
	} else if (command == COMMAND_RUN && word[1] == '-' && nvprof_option_find(word + 2)) {
		say("option '%s' is nvprof's: run the tool under the name nvprof (doc/NVPROF)",
		    word);
	} else if (word[1] == '-' && put_ambiguous(&text, command, word)) {
		say("option '%s' is one of several: %s", word, strbuf_text(&text));
	} else {
		text.length = 0;
		put_hint(&text, command, word);
		say("unknown option '%s'%s", word, strbuf_text(&text));
	}
	strbuf_free(&text);
}

void flag_say_unknown(enum command_id command, const char *word)
{
	char name[NAME];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	say_unknown(command, name);
}

/* SPDX-License-Identifier: MIT */
/*
 * Prints how the last word of a command line can go on, for the shells' completions
 * (config/computeprof.bash, config/computeprof.fish, config/_computeprof): a line "WORD tab HELP"
 * for each word, and
 *
 *     :files         names of files
 *     :directories   names of directories
 *     :commands      programs
 *     :program N     the words after the first N are a command line of another program
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/counters/countertext.h"
#include "cli/help/help_command.h"
#include "cli/help/topics.h"
#include "cli/lines.h"
#include "cli/list/list.h"

struct line {
	enum command_id command;
	char **words; /* after the name of the tool */
	int count;
	const char *prefix; /* "--option=" before the completed part of the last word, or "" */
	const char *last;   /* that part */
};

static void offer(const struct line *line, const char *word, const char *help)
{
	if (!strncmp(word, line->last, strlen(line->last)))
		printf("%s%s\t%s\n", line->prefix, word, help);
}

static void offer_choices(const struct line *line, const char *choices)
{
	while (*choices) {
		size_t length = strcspn(choices, "|");
		struct strbuf word = STRBUF_INIT;

		strbuf_append(&word, choices, length);
		offer(line, strbuf_text(&word), "");
		strbuf_free(&word);
		choices += length + (choices[length] == '|');
	}
}

static void offer_configs(const struct line *line)
{
	struct strbuf rows = STRBUF_INIT;
	const char *at, *row;
	size_t length;

	list_config_rows(&rows);
	at = strbuf_text(&rows);
	while ((row = lines_next(&at, &length)))
		if (!strncmp(row, line->last, strlen(line->last)))
			printf("%s%.*s\n", line->prefix, (int)length, row);
	strbuf_free(&rows);
}

static void offer_chips(const struct line *line)
{
	for (int i = 0; i < CHIP_COUNT; i++)
		offer(line, chips[i].name, chips[i].products);
}

static void offer_value(const struct line *line, const struct flag_row *row)
{
	static const char *const files[] = {"FILE", "PATTERN"}, *const directories[] = {
									"DIR", "DIRECTORY"};

	if (row == &flag_rows[FLAG_CONFIG])
		offer_configs(line);
	if (row == &flag_rows[FLAG_CHIP])
		offer_chips(line);
	if (row->choices || strchr(row->argument, '|'))
		offer_choices(line, row->choices ? row->choices : row->argument);
	for (int i = 0; i < 2; i++) {
		if (!strcmp(row->argument, files[i]))
			puts(":files");
		if (!strcmp(row->argument, directories[i]))
			puts(":directories");
	}
	if (row == &flag_rows[FLAG_CONFIG])
		puts(":files");
}

static void offer_options(const struct line *line)
{
	for (int i = 0; i < FLAG_COUNT; i++) {
		char name[64], letter[3] = {'-', flag_rows[i].letter, '\0'};

		if (!flag_belongs(i, line->command))
			continue;
		snprintf(name, sizeof(name), "--%s", flag_rows[i].name);
		offer(line, name, flag_rows[i].help);
		if (flag_rows[i].letter)
			offer(line, letter, flag_rows[i].help);
	}
}

static void offer_commands(const struct line *line)
{
	for (int i = COMMAND_RUN + 1; i < COMMAND_COUNT; i++) {
		struct strbuf sentence = STRBUF_INIT;

		command_sentence(&sentence, i);
		offer(line, commands[i].name, strbuf_text(&sentence));
		strbuf_free(&sentence);
	}
}

static void offer_topic(void *line, const struct topic *topic)
{
	offer(line, topic->word, topic->help);
	if (*topic->alias)
		offer(line, topic->alias, topic->help);
}

static void offer_list(void *line, const char *word)
{
	offer(line, word, "");
}

/* The words of `computeprof help`. */
static void offer_topics(struct line *line)
{
	offer_commands(line);
	help_lists(offer_list, line);
	topics_each(offer_topic, line);
	for (int id = 0; id < COUNTER_COUNT; id++)
		offer(line, counter_get(id).name, counter_texts[id].help);
}

/* Returns the option of the command with this name of `length` bytes, or NULL. */
static const struct flag_row *find_name(enum command_id command, const char *name, size_t length)
{
	for (int i = 0; i < FLAG_COUNT; i++) {
		const struct flag_row *row = &flag_rows[i];
		const char *alias = row->alias ? row->alias : row->name;

		if (flag_belongs(i, command) &&
		    ((strlen(row->name) == length && !strncmp(row->name, name, length)) ||
		     (strlen(alias) == length && !strncmp(alias, name, length))))
			return row;
	}
	return NULL;
}

/* Returns the option in `word` whose argument is the next word, or NULL. */
static const struct flag_row *takes_next(enum command_id command, const char *word)
{
	const struct flag_row *row = NULL;

	if (*word != '-')
		return NULL;
	if (word[1] == '-') {
		row = find_name(command, word + 2, strlen(word + 2));
		return row && row->argument && !row->otherwise ? row : NULL;
	}
	for (word++; *word; word++) {
		int option = flag_find_letter(command, *word);

		row = option < 0 ? NULL : &flag_rows[option];
		if (!row || row->argument)
			break;
	}
	return *word && row && !word[1] ? row : NULL;
}

/* Returns the number of the word from `i` on that is a program of this command, or -1. With gate, a
 * word "--" is before each of its programs but the first one. */
static int find_program(const struct line *line, int i)
{
	int program = -1;

	for (; command_has_program(line->command) && i < line->count; i++) {
		const char *word = line->words[i];

		if (!strcmp(word, "--") && i + 1 < line->count &&
		    (program < 0 || line->command == COMMAND_GATE))
			program = i + 1;
		else if (program < 0 && (*word != '-' || !word[1]))
			program = i;
		else if (program < 0 && takes_next(line->command, word))
			i++;
	}
	return program < line->count ? program : -1;
}

/* The last word is no option, and not the argument of one. */
static void offer_argument(struct line *line)
{
	switch ((int)line->command) {
	case COMMAND_LIST:
		offer_choices(line, commands[COMMAND_LIST].arguments);
		break;
	case COMMAND_HELP:
		offer_topics(line);
		break;
	case COMMAND_TOP:
		puts(":directories");
		break;
	case COMMAND_RUN:
		if (line->count == 1)
			offer_commands(line);
		puts(":commands");
		break;
	case COMMAND_DOCTOR:
	case COMMAND_GATE:
		puts(":commands");
		break;
	default:
		puts(":files");
	}
}

static void offer_last(struct line *line, int first)
{
	const char *equals = strchr(line->last, '=');
	int program = find_program(line, first), last = line->count - 1;
	const struct flag_row *row = NULL;
	char prefix[64];

	if (program >= 0 && program < last) {
		printf(":program %d\n", program);
		return;
	}
	if (last > first && program != last)
		row = takes_next(line->command, line->words[last - 1]);
	if (!row && program != last && !strncmp(line->last, "--", 2) && equals) {
		row = find_name(line->command, line->last + 2, (size_t)(equals - line->last - 2));
		snprintf(prefix, sizeof(prefix), "%.*s", (int)(equals + 1 - line->last),
			 line->last);
		line->prefix = prefix;
		line->last = equals + 1;
	}
	if (row && row->argument)
		offer_value(line, row);
	else if (*line->last == '-' && line->command != COMMAND_HELP)
		offer_options(line);
	else if (!*line->prefix)
		offer_argument(line);
}

int list_completions(const struct flags *flags)
{
	struct line line = {.words = flags->arguments + 1, .count = flags->argument_count - 1};
	int first = 0;

	if (line.count < 1)
		return EXIT_DONE;
	if (line.count > 1)
		line.command = command_find(line.words[0]);
	if (line.command != COMMAND_RUN)
		first = 1;
	line.last = line.words[line.count - 1];
	line.prefix = "";
	offer_last(&line, first);
	return EXIT_DONE;
}

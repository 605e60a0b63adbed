/* SPDX-License-Identifier: MIT */
/* computeprof help: explains any word of the tool. */
#include "cli/help/help_command.h"

#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/counters/cupti_query.h"
#include "cli/counters/explain.h"
#include "cli/help.h"
#include "cli/help/pager.h"
#include "cli/help/topics.h"
#include "cli/lines.h"
#include "cli/list/list.h"
#include "cli/print/export.h"
#include "cli/suggest.h"

enum { NAME = 128, WIDTH = 78 };

static void print_commands(void)
{
	for (int i = COMMAND_RUN; i < COMMAND_COUNT; i++) {
		struct strbuf text = STRBUF_INIT;

		strbuf_printf(&text, "computeprof %s: ", i ? commands[i].name : "PROGRAM");
		command_sentence(&text, i);
		strbuf_char(&text, '.');
		lines_paragraph(strbuf_text(&text), 0, WIDTH);
		strbuf_free(&text);
	}
}

static void print_options(void)
{
	struct strbuf text = STRBUF_INIT;

	help_options(&text, COMMAND_RUN, FLAG_COUNT);
	fputs(strbuf_text(&text), stdout);
	strbuf_free(&text);
}

static void add_file(struct strbuf *to, const char *extension, const char *help)
{
	strbuf_printf(to, "  %-18s %s\n", extension, help);
}

static void print_files(void)
{
	struct strbuf text = STRBUF_INIT;

	export_files(&text, add_file);
	fputs(strbuf_text(&text), stdout);
	strbuf_free(&text);
}

static void print_exits(void)
{
	for (const struct exit_row *row = exit_rows; row->code; row++) {
		struct strbuf text = STRBUF_INIT;

		strbuf_printf(&text, "%s (", row->code);
		command_put_names(&text, row->commands);
		strbuf_printf(&text, "): %s.", row->help);
		lines_paragraph(strbuf_text(&text), 0, WIDTH);
		strbuf_free(&text);
	}
}

/* Words that stand for a whole list. */
static const struct {
	const char *word;
	void (*print)(void);
} lists[] = {
	{"commands", print_commands}, {"options", print_options},    {"columns", list_columns},
	{"settings", list_settings},  {"variables", list_variables}, {"files", print_files},
	{"exits", print_exits},
};

enum { LISTS = sizeof(lists) / sizeof(lists[0]) };

void help_lists(void (*take)(void *data, const char *word), void *data)
{
	for (int i = 0; i < LISTS; i++)
		take(data, lists[i].word);
}

static bool print_list(const char *word)
{
	for (int i = 0; i < LISTS; i++) {
		if (strcmp(word, lists[i].word) != 0)
			continue;
		lists[i].print();
		return true;
	}
	return false;
}

static bool print_command_help(const char *word)
{
	enum command_id command = command_find(word);
	struct strbuf text = STRBUF_INIT;

	if (command == COMMAND_RUN)
		return false;
	help_text(&text, command);
	printf("%s\nman computeprof-%s has more.\n", strbuf_text(&text), commands[command].name);
	strbuf_free(&text);
	return true;
}

struct search {
	const char *word;
	bool after_counter; /* a blank line comes before the first topic */
	unsigned found;
};

static void print_topic(void *data, const struct topic *topic)
{
	struct search *search = data;
	struct strbuf text = STRBUF_INIT;

	if (!topic_is(topic, search->word))
		return;
	strbuf_string(&text, topic->word);
	if (*topic->alias == '-')
		strbuf_printf(&text, ", %s", topic->alias);
	strbuf_printf(&text, " (%s): %s%s", topic->kind, topic->help,
		      text_ends(topic->help, "?") ? "" : ".");
	if (search->after_counter && !search->found)
		printf("\n");
	lines_paragraph(strbuf_text(&text), 0, WIDTH);
	strbuf_free(&text);
	search->found++;
}

static void offer_topic(void *data, const struct topic *topic)
{
	suggest_offer(data, topic->word);
}

static void offer_list(void *data, const char *word)
{
	suggest_offer(data, word);
}

static int say_unknown(const char *word)
{
	struct suggestion nearest;
	struct strbuf hint = STRBUF_INIT;

	suggest_begin(&nearest, word);
	suggest_offer_words(&nearest);
	suggest_offer_commands(&nearest);
	help_lists(offer_list, &nearest);
	topics_each(offer_topic, &nearest);
	suggest_put_several(&hint, &nearest);
	say("nothing is called '%.100s'%s", word,
	    hint.length ? strbuf_text(&hint) : "; see 'computeprof help'");
	strbuf_free(&hint);
	return EXIT_PROBLEM;
}

/* Counters have options. */
static int refuse_chip(const struct flags *flags, const char *word)
{
	enum flag_id id = flags->value[FLAG_CHIP] ? FLAG_CHIP : FLAG_DEVICE;

	if (!flags->value[id])
		return EXIT_DONE;
	if (*word)
		say("help --%s is for a counter; '%.100s' is none", flag_rows[id].name, word);
	else
		say("help --%s needs the name of a counter", flag_rows[id].name);
	return EXIT_TOOL_FAILED;
}

static int print_word(const struct flags *flags, const char *word)
{
	const struct chip *chip = cupti_query_chip(flags);
	struct search search = {.word = word};

	if (!chip && (flags->value[FLAG_CHIP] || flags->value[FLAG_DEVICE]))
		return EXIT_PROBLEM;
	search.after_counter = explain_counter(word, chip);
	if (!search.after_counter && refuse_chip(flags, word))
		return EXIT_TOOL_FAILED;
	if (!search.after_counter && (print_command_help(word) || print_list(word)))
		return EXIT_DONE;
	topics_each(print_topic, &search);
	return search.after_counter || search.found ? EXIT_DONE : say_unknown(word);
}

int help_command(const struct flags *flags)
{
	struct pager pager;
	char word[NAME] = "";
	int code;

	for (int i = 0; i < flags->argument_count; i++) {
		size_t used = strlen(word);

		snprintf(word + used, sizeof(word) - used, "%s%s", i ? " " : "",
			 flags->arguments[i]);
	}
	if (!*word && refuse_chip(flags, word))
		return EXIT_TOOL_FAILED;
	pager_begin(&pager);
	if (*word) {
		code = print_word(flags, word);
	} else {
		help_print(COMMAND_RUN);
		code = EXIT_DONE;
	}
	pager_end(&pager);
	return code;
}

/* SPDX-License-Identifier: MIT */
#include "cli/list/list.h"

#include <stddef.h>
#include <string.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/suggest.h"

static const struct {
	const char *name;
	int (*print)(const struct flags *flags);
	bool has_manual; /* takes --man */
	bool has_chip;	 /* takes the other options */
	bool has_words;	 /* takes further words */
} lists[] = {
	{.name = "options", .print = list_options, .has_manual = true},
	{.name = "devices", .print = list_devices},
	{.name = "configs", .print = list_configs},
	{.name = "counters", .print = list_counters, .has_manual = true, .has_chip = true},
	{.name = "chips", .print = list_chips},
	{.name = "completions", .print = list_completions, .has_words = true},
};

enum { LISTS = sizeof(lists) / sizeof(lists[0]) };

/* Refuses options that the list does not take. --man takes no others. */
static int check(const struct flags *flags, size_t list)
{
	bool manual = flags->value[FLAG_MAN];

	for (int id = 0; id < FLAG_COUNT; id++) {
		bool takes =
			id == FLAG_MAN ? lists[list].has_manual : lists[list].has_chip && !manual;

		if (!flags->value[id] || takes)
			continue;
		say("list %s%s takes no --%s", lists[list].name,
		    manual && id != FLAG_MAN ? " --man" : "", flag_rows[id].name);
		return EXIT_TOOL_FAILED;
	}
	return EXIT_DONE;
}

static void say_which(const char *word)
{
	struct strbuf text = STRBUF_INIT;
	struct suggestion nearest;

	suggest_begin(&nearest, word);
	for (size_t i = 0; i < LISTS; i++) {
		strbuf_printf(&text, "%s%s", i ? ", " : "list one of: ", lists[i].name);
		suggest_offer(&nearest, lists[i].name);
	}
	suggest_put(&text, &nearest);
	say("%s", strbuf_text(&text));
	strbuf_free(&text);
}

int list_command(const struct flags *flags)
{
	const char *name = flags->argument_count ? flags->arguments[0] : "";

	for (size_t i = 0; i < LISTS; i++)
		if (!strcmp(name, lists[i].name) &&
		    (flags->argument_count == 1 || lists[i].has_words))
			return check(flags, i) ? EXIT_TOOL_FAILED : lists[i].print(flags);
	say_which(flags->argument_count == 1 ? name : "");
	return EXIT_TOOL_FAILED;
}

/* SPDX-License-Identifier: MIT */
/* Lists the counters of a configuration file on a chip: formulas and number of passes. */
#include <stdio.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/counters/passes.h"
#include "cli/lines.h"
#include "cli/list/list.h"
#include "cli/run/precheck.h"
#include "cli/table.h"
#include "model/api.h"
#include "settings/config.h"

enum { WIDTH = 100 };

static void add_own(struct strbuf *rows, const struct passes *passes, unsigned number)
{
	const struct counter_choice *choice = &passes->settings->counters.items[number];
	struct chip_counter found = passes_counter(passes, number);
	bool sure = found.way.grade == COUNTER_NONE || passes->answer.known;

	strbuf_printf(rows, "%s\t", choice->name);
	table_cell(rows, choice->unit ? choice->unit : "-");
	strbuf_printf(rows, "\t%s\t-\t", sure ? list_grade(found.way.grade) : "not known");
	if (found.way.grade == COUNTER_NONE)
		list_why_not(rows, passes->chip, found.missing, "it has no metric");
	else
		strbuf_append(rows, found.way.formula, found.way.length);
	strbuf_char(rows, '\n');
}

static void print_passes(const struct passes *passes)
{
	struct strbuf text = STRBUF_INIT;

	putchar('\n');
	passes_say(passes, NULL, &text);
	strbuf_char(&text, '.');
	lines_paragraph(strbuf_text(&text), 0, WIDTH);
	for (unsigned i = 0; i < passes->settings->counters.count; i++)
		if (passes_apart(passes, i))
			printf("%s is not measured: %s cannot be measured together with the "
			       "others.\n",
			       passes->settings->counters.items[i].name, passes_apart(passes, i));
	strbuf_free(&text);
}

static void print(const struct settings *settings, const struct chip *chip)
{
	const struct counter_choices *choices = &settings->counters;
	static struct passes passes;
	struct strbuf rows = STRBUF_INIT;

	passes_ask(&passes, settings, chip);
	strbuf_string(&rows, LIST_CHIP_HEADING);
	for (unsigned i = 0; i < choices->count; i++) {
		struct chip_counter found = passes_counter(&passes, i);

		if (choices->items[i].id >= 0)
			list_chip_row(&rows, chip, choices->items[i].id, &found);
		else
			add_own(&rows, &passes, i);
	}
	list_chip_title(chip);
	table_print(&rows);
	print_passes(&passes);
	strbuf_free(&rows);
	passes_free(&passes);
}

int list_requested(const struct chip *chip, const char *config)
{
	struct settings settings = {.layout.api = api_with_counters(), .only_looked_at = true};
	int result = EXIT_DONE;

	if (precheck_config(config))
		return EXIT_TOOL_FAILED;
	config_load(&settings, config);
	precheck_words(&settings);
	if (settings.counters.count == 0) {
		say("%.300s names no counters", settings.config);
		result = EXIT_PROBLEM;
	} else {
		print(&settings, chip);
	}
	settings_free(&settings);
	return result;
}

/* SPDX-License-Identifier: MIT */
/* The counters that a configuration file asks for, on a chip: how, and in how many passes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/list.h"
#include "cli/table.h"
#include "model/formula.h"
#include "settings/config.h"

enum { NAMES = 2048 };

/* The different metrics of all the counters, and what a libcupti says of them. */
struct metrics {
	char *names[NAMES];
	unsigned count;
	struct ask_answer answer;
};

static unsigned find(const struct metrics *metrics, struct formula_name name)
{
	unsigned i = 0;

	while (i < metrics->count && (strlen(metrics->names[i]) != name.length ||
				      memcmp(metrics->names[i], name.text, name.length)))
		i++;
	return i;
}

static void add_formula(struct metrics *metrics, const char *text, size_t length)
{
	struct formula formula;

	if (formula_parse(&formula, text, length))
		return;
	for (unsigned i = 0; i < formula.name_count; i++) {
		struct formula_name name = formula.names[i];

		if (find(metrics, name) == metrics->count && metrics->count < NAMES)
			metrics->names[metrics->count++] = strndup(name.text, name.length);
	}
}

/* The formula of a counter that is not in the table, or NULL. */
static const char *own_formula(const struct counter_choice *choice, const struct chip *chip)
{
	if (chip_access(chip) == CHIP_EVENTS)
		return choice->event;
	return choice->metric || choice->event ? choice->metric : choice->name;
}

static void collect(struct metrics *metrics, const struct counter_choices *choices,
		    const struct chip *chip)
{
	for (unsigned i = 0; i < choices->count; i++) {
		const struct counter_choice *choice = &choices->items[i];
		struct chip_counter found;

		if (choice->id >= 0) {
			found = chip_counter(chip, choice->id);
			add_formula(metrics, found.way.formula, found.way.length);
		} else if (own_formula(choice, chip)) {
			add_formula(metrics, own_formula(choice, chip),
				    strlen(own_formula(choice, chip)));
		}
	}
	ask_metrics(&metrics->answer, chip, (const char *const *)metrics->names, metrics->count);
}

/* The first metric that the chip lacks, or NULL. What nobody knows is not lacking. */
static const char *lacking(const struct metrics *metrics, const char *text)
{
	struct formula formula;

	if (!metrics->answer.known || formula_parse(&formula, text, strlen(text)))
		return NULL;
	for (unsigned i = 0; i < formula.name_count; i++) {
		unsigned metric = find(metrics, formula.names[i]);

		if (metric < metrics->count && metrics->answer.have[metric] == '0')
			return metrics->names[metric];
	}
	return NULL;
}

static void add_own(struct strbuf *rows, const struct metrics *metrics,
		    const struct counter_choice *choice, const struct chip *chip)
{
	const char *formula = own_formula(choice, chip);
	const char *missing = formula ? lacking(metrics, formula) : NULL;
	bool known = chip_access(chip) == CHIP_METRICS && metrics->answer.known;

	strbuf_printf(rows, "%s\t", choice->name);
	table_cell(rows, choice->unit ? choice->unit : "-");
	if (chip_access(chip) == CHIP_LOST || !formula || missing) {
		strbuf_printf(rows, "\t%s\t-\t", list_grade(COUNTER_NONE));
		list_why_not(rows, chip, missing ? missing : "", "it has no metric");
	} else {
		strbuf_printf(rows, "\t%s\t-\t", known ? list_grade(COUNTER_EXACT) : "not known");
		table_cell(rows, formula);
	}
	strbuf_char(rows, '\n');
}

/* What each needs by itself, added up: together they need no more. 0 if one's is not known. */
static unsigned most_passes(const struct counter_choices *choices, const struct chip *chip)
{
	unsigned passes = 0;

	for (unsigned i = 0; i < choices->count; i++) {
		if (choices->items[i].id < 0)
			return 0;
		passes += chip_counter(chip, choices->items[i].id).passes;
	}
	return passes;
}

static void print_passes(const struct metrics *metrics, const struct counter_choices *choices,
			 const struct chip *chip)
{
	unsigned passes = metrics->answer.known ? metrics->answer.passes : 0;
	unsigned most = most_passes(choices, chip);

	if (chip_access(chip) != CHIP_METRICS || !metrics->count)
		return;
	putchar('\n');
	if (passes == 1)
		printf("Together they need 1 pass: each kernel runs once.\n");
	else if (passes)
		printf("Together they need %u passes: each kernel runs %u times.\n", passes,
		       passes);
	else if (most)
		printf("Together they need at most %u pass%s, in each of which a kernel runs "
		       "once.\n",
		       most, most == 1 ? "" : "es");
	if (!passes)
		printf("A libcupti of CUDA 12.6 or later would tell how many passes they need, "
		       "but none is found.\n");
}

static void print(const struct counter_choices *choices, const struct chip *chip)
{
	static struct metrics metrics;
	struct strbuf rows = STRBUF_INIT;

	if (chip_access(chip) == CHIP_METRICS)
		collect(&metrics, choices, chip);
	strbuf_string(&rows, LIST_CHIP_HEADING);
	for (unsigned i = 0; i < choices->count; i++) {
		if (choices->items[i].id >= 0)
			list_chip_row(&rows, chip, choices->items[i].id);
		else
			add_own(&rows, &metrics, &choices->items[i], chip);
	}
	list_chip_title(chip);
	table_print(&rows);
	print_passes(&metrics, choices, chip);
	strbuf_free(&rows);
	free(metrics.answer.have);
	for (unsigned i = 0; i < metrics.count; i++)
		free(metrics.names[i]);
}

int list_choices(const struct chip *chip, const char *config)
{
	struct settings settings = {.layout.api = API_CUDA, .only_looked_at = true};
	int result = EXIT_DONE;

	config_load(&settings, config);
	if (settings.bad_config) {
		result = EXIT_PROBLEM; /* why was said */
	} else if (settings.counters.count == 0) {
		say("%.300s asks for no counters", settings.config);
		result = EXIT_PROBLEM;
	} else {
		print(&settings.counters, chip);
	}
	settings_free(&settings);
	return result;
}

/* SPDX-License-Identifier: MIT */
#include "settings/definition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "model/column.h"
#include "model/counter.h"
#include "model/formula.h"
#include "settings/options.h"

/* clang-format off */
const struct definition_row definition_rows[DEFINITION_FIELDS] = {
	[DEFINITION_METRIC] = {"metric", "FORMULA",
		"Formula from PerfWorks metrics: names and numbers with + - * / and brackets; "
		"further settings of this name continue it"},
	[DEFINITION_EVENT] = {"event", "FORMULA",
		"Formula from CUPTI events, for devices up to compute capability 7.2"},
	[DEFINITION_HELP] = {"help", "TEXT", "Description of the counter, for lists"},
	[DEFINITION_UNIT] = {"unit", "TEXT", "Unit of its values, for lists"},
};
/* clang-format on */

struct definition *definitions_get(const struct definitions *definitions, const char *name)
{
	for (unsigned i = 0; i < definitions->count; i++)
		if (text_same(definitions->items[i].name, name))
			return &definitions->items[i];
	return NULL;
}

/* Returns NULL, or the reason why a section with this name is ignored. */
static const char *why_not(const struct definitions *definitions, const char *name)
{
	if (column_find(name) || option_find(NULL, name))
		return "a column or setting has this name";
	if (counter_find(name) >= 0)
		return "another counter has this name";
	if (definitions_get(definitions, name))
		return "it is defined twice; this section is ignored";
	if (definitions->count == DEFINITION_LIMIT)
		return "too many sections of this kind";
	return NULL;
}

static void add(struct definitions *definitions, struct config_lines *lines)
{
	const char *wrong = why_not(definitions, lines->counter);
	struct definition *items = NULL;

	if (!wrong) {
		items = realloc(definitions->items, (definitions->count + 1) * sizeof(*items));
		wrong = items ? NULL : "out of memory";
	}
	if (wrong) {
		config_say(lines, "[counter %s]: %s", lines->counter, wrong);
		return;
	}
	definitions->items = items;
	items += definitions->count++;
	*items = (struct definition){.line = lines->line};
	strcpy(items->name, lines->counter);
}

void definitions_find(struct definitions *definitions, const char *path, const char *text,
		      size_t size)
{
	struct config_lines lines;
	char line[CONFIG_LINE_SIZE];

	config_lines_init(&lines, path, text, size);
	lines.quiet = true;
	while (config_lines_next(line, sizeof(line), &lines))
		if (*line == '[' && *lines.counter)
			add(definitions, &lines);
}

/* Sets a text, or appends a part of a formula. */
static void set(char **to, const char *value, bool more)
{
	size_t size = strlen(value) + (*to ? strlen(*to) : 0) + sizeof(" ");
	char *text = malloc(size);

	if (!text)
		return;
	snprintf(text, size, "%s%s%s", more && *to ? *to : "", more && *to ? " " : "", value);
	free(*to);
	*to = text;
}

void definitions_take(struct definitions *definitions, struct config_lines *lines, const char *name,
		      const char *value)
{
	struct definition *definition = definitions_get(definitions, lines->counter);

	if (!definition || definition->line != lines->section)
		return; /* a message was printed before */
	for (int i = 0; i < DEFINITION_FIELDS; i++) {
		if (!text_same(name, definition_rows[i].name))
			continue;
		if (*value)
			set(&definition->fields[i], value, i <= DEFINITION_EVENT);
		else
			config_say(lines, "%s must not be empty", name);
		return;
	}
	config_say(lines, "section [counter %s] has no setting '%s'", lines->counter, name);
}

/* Checks a formula of the definition. Returns false after a message. */
static bool check_formula(const struct definition *definition, int field, const char *path)
{
	const char *text = definition->fields[field];
	struct formula formula;
	const char *wrong = text ? formula_parse(&formula, text, strlen(text)) : NULL;

	if (wrong) {
		say_new("%.300s, line %u: [counter %s]: %s = %s: %s", path, definition->line,
			definition->name, definition_rows[field].name, text, wrong);
		return false;
	}
	for (unsigned i = 0; text && field == DEFINITION_METRIC && i < formula.name_count; i++) {
		char name[128];

		snprintf(name, sizeof(name), "%.*s", (int)formula.names[i].length,
			 formula.names[i].text);
		if (counter_is_raw(name))
			continue;
		say_new("%.300s, line %u: [counter %s]: '%s' is not a metric such as "
			"sm__cycles_active.sum",
			path, definition->line, definition->name, name);
		return false;
	}
	return true;
}

void definitions_check(const struct definitions *definitions, const char *path)
{
	for (unsigned i = 0; i < definitions->count; i++) {
		struct definition *definition = &definitions->items[i];

		if (!definition->fields[DEFINITION_METRIC] && !definition->fields[DEFINITION_EVENT])
			say_new("%.300s, line %u: [counter %s] has neither metric nor event", path,
				definition->line, definition->name);
		for (int field = DEFINITION_METRIC; field <= DEFINITION_EVENT; field++) {
			if (check_formula(definition, field, path))
				continue;
			free(definition->fields[field]);
			definition->fields[field] = NULL;
		}
	}
}

void definitions_give(struct definitions *definitions, struct counter_choices *choices)
{
	for (unsigned i = 0; i < choices->count; i++) {
		struct counter_choice *choice = &choices->items[i];
		struct definition *definition =
			choice->id < 0 ? definitions_get(definitions, choice->name) : NULL;

		if (!definition)
			continue;
		choice->metric = definition->fields[DEFINITION_METRIC];
		choice->event = definition->fields[DEFINITION_EVENT];
		choice->help = definition->fields[DEFINITION_HELP];
		choice->unit = definition->fields[DEFINITION_UNIT];
		memset(definition->fields, 0, sizeof(definition->fields));
	}
	for (unsigned i = 0; i < definitions->count; i++)
		for (int field = 0; field < DEFINITION_FIELDS; field++)
			free(definitions->items[i].fields[field]);
	free(definitions->items);
	*definitions = (struct definitions){0};
}

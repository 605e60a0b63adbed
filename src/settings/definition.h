/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_DEFINITION_H
#define SETTINGS_DEFINITION_H

#include "settings/configfile.h"
#include "settings/choice.h"

/*
 * Sections [counter NAME], which define counters: metric and event are formulas (model/formula.h;
 * such a setting may be there more than once and is then read as one), help and unit are text. They
 * stand behind the words that ask for them, so they are looked for beforehand.
 */
enum { DEFINITION_LIMIT = 64 };

enum definition_field {
	DEFINITION_METRIC,
	DEFINITION_EVENT,
	DEFINITION_HELP,
	DEFINITION_UNIT,
	DEFINITION_FIELDS
};

struct definition {
	char name[CONFIG_COUNTER_SIZE];
	unsigned line; /* where its section begins */
	char *fields[DEFINITION_FIELDS];
};

struct definitions {
	struct definition *items;
	unsigned count;
};

/* A row for each setting: its name and its meaning, one sentence without a full stop. */
struct definition_row {
	const char *name;
	const char *value;
	const char *help;
};

extern const struct definition_row definition_rows[DEFINITION_FIELDS];

/* Finds the sections of a file's text; says which cannot be one, and why. */
void definitions_find(struct definitions *definitions, const char *path, const char *text,
		      size_t size);

/* A line of the section that `lines` is in. */
void definitions_take(struct definitions *definitions, struct config_lines *lines,
		      const char *name, const char *value);

/* Says which definitions are wrong, and why. To be called behind the last line. */
void definitions_check(const struct definitions *definitions, const char *path);

/* The definition of this name (any letter case), or NULL. */
struct definition *definitions_get(const struct definitions *definitions, const char *name);

/* Gives what is defined to the choices that were added for it, and frees the rest. */
void definitions_give(struct definitions *definitions, struct counter_choices *choices);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_DEFINITION_H
#define SETTINGS_DEFINITION_H

#include "settings/configfile.h"
#include "settings/counter_request.h"

/*
 * Sections [counter NAME], which define counters. metric and event are formulas (model/formula.h);
 * several settings of one name are joined. help and unit are texts. The sections follow the words
 * that use them, so they are searched in a pass before parsing.
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
	unsigned line; /* line number of its section */
	char *fields[DEFINITION_FIELDS];
};

struct definitions {
	struct definition *items;
	unsigned count;
};

/* One row per setting: its name and its description, one sentence without a full stop. */
struct definition_row {
	const char *name;
	const char *value;
	const char *help;
};

extern const struct definition_row definition_rows[DEFINITION_FIELDS];

/* Finds the sections of a file's text, with a message for each invalid one. */
void definitions_find(struct definitions *definitions, const char *path, const char *text,
		      size_t size);

/* Parses a line of the section that `lines` is in. */
void definitions_take(struct definitions *definitions, struct config_lines *lines,
		      const char *name, const char *value);

/* Checks the definitions, with a message for each invalid one. Call after the last line. */
void definitions_check(const struct definitions *definitions, const char *path);

/* Returns the definition of this name (any letter case), or NULL. */
struct definition *definitions_get(const struct definitions *definitions, const char *name);

/* Moves the definitions to the choices that were added for them, and frees the rest. */
void definitions_give(struct definitions *definitions, struct counter_choices *choices);

#endif

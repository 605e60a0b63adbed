/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_OPTIONS_H
#define SETTINGS_OPTIONS_H

#include <stdint.h>

#include "settings/settings.h"

enum option_type {
	OPTION_SWITCH,  /* 1 or 0; no value is 1 */
	OPTION_TRISTATE,    /* as OPTION_SWITCH, stored as an enum tristate */
	OPTION_YES,     /* yes or no; no value is yes */
	OPTION_FORMAT,  /* kvp or csv */
	OPTION_DIALECT, /* classic or cuda4 */
	OPTION_REPLAY,  /* none or kernel */
	OPTION_TEXT,    /* char *, owned by the settings */
	OPTION_REGEX,   /* as OPTION_TEXT, checked, and compiled into the next member */
	OPTION_COUNT,   /* uint64_t; k, M and G are powers of 1000 */
	OPTION_RATE,    /* uint32_t, samples per second */
	OPTION_BYTES,   /* uint64_t; k, M and G are powers of 1024 */
	OPTION_METRICS_VERSION, /* 1 or 2 */
	OPTION_METRICS_FORMAT,  /* log or exporter */
	OPTION_METRICS_NAMES,   /* cuda or native */
	OPTION_PERIOD,  /* uint64_t, ms */
	OPTION_VALUES,  /* none, objects, flow or patterns */
	OPTION_ELEMENT, /* uint8_t, enum element_type */
	OPTION_LEVEL,   /* uint8_t, 0 to 5 */
	OPTION_EACH,    /* as OPTION_COUNT, from 1 on */
};

/*
 * One row per setting of the configuration file that is not a column or a counter. The parser,
 * `computeprof list options` and the manual page use these rows. Names are in the row, so that the
 * dynamic linker adjusts fewer addresses in each process.
 */
struct option_row {
	char section[12]; /* "": a word of the old format, before the first section */
	char name[24];
	enum option_type type;
	uint16_t offset;  /* of the value in struct settings */
	const char *help; /* one sentence without a full stop */
};

/* The last row has no name. */
extern const struct option_row option_rows[];

/* Returns the row of this setting (any letter case), or NULL. */
const struct option_row *option_find(const char *section, const char *name);

/* Returns the section's name as spelled in the rows, or NULL if there is none. */
const char *option_section(const char *section);

/* Parses `value` into the setting. Returns NULL, or the constraint that it violates ("must be
 * ..."); the setting is then unchanged. */
const char *option_set(const struct option_row *row, struct settings *settings, const char *value);

#endif

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/env.h"
#include "base/file.h"
#include "base/say.h"
#include "base/text.h"
#include "model/api.h"
#include "model/counter.h"
#include "model/counterset.h"
#include "settings/config.h"
#include "settings/configfile.h"
#include "settings/definition.h"
#include "settings/options.h"

#ifndef COMPUTEPROF_CONFIG_DIR
#define COMPUTEPROF_CONFIG_DIR "/usr/local/share/computeprof"
#endif

enum {
	NAME_SHOWN = 200,   /* bytes of an unknown name to print in a log */
	UNKNOWN_LIMIT = 100 /* unknown names to print in a log */
};

/* The state of the parser. */
struct reading {
	struct config_lines lines;
	struct settings *settings;
	struct definitions definitions;
	uint64_t given; /* bit_of each option that the file has set */
	unsigned unknown;
	bool full; /* there are too many counters; a message was printed */
};

static void say_no_argument(struct reading *reading, const char *name, const char *argument)
{
	if (*argument)
		config_say(&reading->lines, "'%s' takes no value; '%s' is ignored",
			   name, argument);
}

/* Returns the row of a line's counter, or -1. The manual of 2010 spells local_store "local
 * store". */
static int line_counter(const char *name, const char *argument)
{
	char words[CONFIG_LINE_SIZE];

	if (!*argument)
		return counter_find(name);
	if (strlen(name) + strlen(argument) + 2 > sizeof(words))
		return -1;
	strcpy(words, name);
	strcat(words, " ");
	strcat(words, argument);
	return counter_find_words(words);
}

static void take_counter(struct reading *reading, const char *name, int id)
{
	struct counter_choices *choices = &reading->settings->counters;

	if (counter_requests_add(choices, name, id)) {
		if (!api_rows[reading->settings->layout.api].has_counters)
			strbuf_printf(&reading->settings->warnings, COUNTER_WARNING,
				      (int)strlen(name), name);
	} else if (choices->count == COUNTER_REQUESTS_MOST && !reading->full) {
		reading->full = true;
		say_new("%.300s, line %u: counters from here on are ignored; the limit is %d",
			reading->lines.path, reading->lines.line, COUNTER_REQUESTS_MOST);
	}
}

/* Adds a counter that is not in the table: one of a [counter NAME] section, or a metric. The name
 * of a metric keeps its letter case. */
static bool take_other_counter(struct reading *reading, const char *name)
{
	const struct definition *definition = definitions_get(&reading->definitions, name);
	char raw[CONFIG_LINE_SIZE];

	if (definition) {
		take_counter(reading, definition->name, -1);
		return true;
	}
	snprintf(raw, sizeof(raw), "%.*s", (int)strlen(name), reading->lines.word);
	if (!counter_is_raw(raw))
		return false;
	take_counter(reading, raw, -1);
	return true;
}

static void take_unknown(struct reading *reading, size_t length)
{
	struct strbuf *warnings = &reading->settings->warnings;
	char name[NAME_SHOWN], line[NAME_SHOWN + 80];

	length = text_visible(name, sizeof(name), reading->lines.word, length, NULL);
	snprintf(line, sizeof(line),
		 "NV_Warning: Ignoring the invalid profiler config option: %.*s\n", (int)length,
		 name);
	if (reading->unknown > UNKNOWN_LIMIT || strstr(strbuf_text(warnings), line))
		return;
	if (reading->unknown++ < UNKNOWN_LIMIT) {
		strbuf_string(warnings, line);
		strbuf_printf(&reading->settings->unknown, "%u %.*s\n", reading->lines.line,
			      (int)length, name);
	} else {
		say_new("%.300s, line %u: unknown names from here on are ignored without a message",
			reading->lines.path, reading->lines.line);
	}
}

/* Returns the bit of the setting in `given`: that of the first row that sets the same. */
static uint64_t bit_of(const struct option_row *row)
{
	const struct option_row *first = option_rows;

	while (first->offset != row->offset)
		first++;
	return UINT64_C(1) << (first - option_rows);
}

static void take_option(struct reading *reading, const struct option_row *row, const char *value)
{
	const char *wrong = option_set(row, reading->settings, value);
	uint64_t bit = bit_of(row);

	if (wrong)
		config_say(&reading->lines, "%s %s, not '%s'", row->name, wrong, value);
	else if (reading->given & bit)
		config_say(&reading->lines, "%s replaces its value of an earlier line", row->name);
	if (!wrong)
		reading->given |= bit;
}

/* Parses a line of the old format: a column, a behaviour, a counter, or an unknown word. */
static void take_word(struct reading *reading, const char *name, const char *argument)
{
	int counter = line_counter(name, argument);
	const struct column *column = column_find(name);
	const struct option_row *row = option_find(NULL, name);

	if (row) {
		take_option(reading, row, argument);
	} else if (counter >= 0) {
		take_counter(reading, counter_get(counter).name, counter);
	} else if (column) {
		reading->settings->layout.columns |= 1U << (column - columns);
		say_no_argument(reading, name, argument);
	} else if ((counter = counter_find(name)) >= 0) {
		take_counter(reading, counter_get(counter).name, counter);
		say_no_argument(reading, name, argument);
	} else if (take_other_counter(reading, name)) {
		say_no_argument(reading, name, argument);
	} else {
		take_unknown(reading, *name ? strlen(name) : 1);
	}
}

static void take_setting(struct reading *reading, const char *section, const char *name,
			 const char *value)
{
	const struct option_row *row = option_find(section, name);

	if (row)
		take_option(reading, row, value);
	else
		config_say(&reading->lines, "section [%s] has no setting '%s'", section, name);
}

/* Callback of inih (ini_handler). */
static int take_line(void *user, const char *section, const char *name, const char *value)
{
	struct reading *reading = user;
	char text[CONFIG_LINE_SIZE];

	value = config_lines_value(&reading->lines, text, sizeof(text), value);
	if (!reading->lines.sections)
		take_word(reading, name, value);
	else if (*reading->lines.counter)
		definitions_take(&reading->definitions, &reading->lines, name, value);
	else if (*section)
		take_setting(reading, section, name, value);
	return 1;
}

void config_say_counters(const struct settings *settings)
{
	const struct api_row *api = &api_rows[settings->layout.api];
	unsigned count = settings->counters.count;

	if (count && !api->has_counters)
		say_new("%.300s names %u counter%s, but %s has no interface for hardware "
			"counters; everything else is logged",
			settings->config, count, count == 1 ? "" : "s", api->name);
}

static void read_lines(struct settings *settings, const struct strbuf *text)
{
	struct reading reading = {.settings = settings};

	definitions_find(&reading.definitions, settings->config, text->data, text->length);
	config_lines_init(&reading.lines, settings->config, text->data, text->length);
	ini_parse_stream(config_lines_next, &reading.lines, take_line, &reading);
	definitions_check(&reading.definitions, settings->config);
	definitions_give(&reading.definitions, &settings->counters);
	if (!settings->only_looked_at)
		config_say_counters(settings);
}

void config_load(struct settings *settings, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	const char *reason;

	settings->config = config_find(name);
	reason = settings->config ? config_read(&text, settings->config) : strerror(errno);
	if (reason) {
		settings->bad_config = strdup(name);
		free(settings->config);
		settings->config = NULL;
		say_new("the configuration file '%.300s' cannot be used: %s", name, reason);
	} else {
		read_lines(settings, &text);
	}
	strbuf_free(&text);
}

/* Returns the path `directory`/`name``suffix`, malloc'ed, if it is a file. */
static char *installed(const char *directory, const char *name, const char *suffix)
{
	size_t size = strlen(directory) + strlen(name) + strlen(suffix) + sizeof("/");
	char *path = malloc(size);
	struct stat status;

	if (!path)
		return NULL;
	snprintf(path, size, "%s/%s%s", directory, name, suffix);
	if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
		return path;
	free(path);
	return NULL;
}

char *config_find(const char *name)
{
	const char *directory = env_get("COMPUTEPROF_CONFIG_DIR");
	char *absolute = file_absolute_copy(name);
	struct stat status;
	int found = !absolute || stat(absolute, &status);
	int why = errno;
	char *path = NULL;

	free(absolute);

	if (!strchr(name, '/') && (found || S_ISDIR(status.st_mode))) {
		directory = directory && *directory ? directory : COMPUTEPROF_CONFIG_DIR;
		path = installed(directory, name, ".conf");
		path = path ? path : installed(directory, name, "");
	}
	if (!path && found == 0)
		path = strdup(name);
	if (!path && found)
		errno = why;
	return path;
}

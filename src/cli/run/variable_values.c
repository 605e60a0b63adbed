/* SPDX-License-Identifier: MIT */
#include "cli/run/variable_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "cli/library.h"
#include "cli/variables.h"
#include "settings/environ.h"
#include "settings/settings.h"

static int check_values(void)
{
	struct environ_values values;

	environ_read(&values, 0); /* those of single APIs are switches and files */
	for (int id = 0; id < ENVIRON_COUNT; id++) {
		const struct environ_row *row = &environ_rows[id];
		const char *value = values.value[id];
		const char *wrong = value ? settings_wrong_value(id, value) : NULL;

		if (!wrong)
			continue;
		say("%s%s %s, not '%.100s'; no program was run", environ_prefix(row, 0),
		    row->suffix, wrong, value);
		return -1;
	}
	return 0;
}

static bool is_on(const char *variable)
{
	const char *value = getenv(variable);

	return value && !strcmp(value, "1");
}

static int check_switch(const char *variable)
{
	const char *value = getenv(variable);

	if (!value || !*value || !strcmp(value, "0") || is_on(variable))
		return 0;
	say("%s is '%.100s', not 0 or 1; no program was run", variable, value);
	return -1;
}

/* For the library another value than 1 is 0: the program would run without the requested data. If
 * the variable of all APIs is set, those of single APIs have no effect. */
static int check_on_off(const struct environ_row *row)
{
	char name[64];

	for (unsigned int i = 0; i < (row->family ? ENVIRON_FAMILIES : 1); i++) {
		snprintf(name, sizeof(name), "%s%s", environ_prefix(row, i), row->suffix);
		if (check_switch(name))
			return -1;
		if (i == 0 && getenv(name) && *getenv(name))
			return 0;
	}
	return 0;
}

static int check_all_on_off(void)
{
	for (int id = 0; id < ENVIRON_COUNT; id++)
		if (id != ENVIRON_PROFILE && environ_rows[id].on_off &&
		    check_on_off(&environ_rows[id]))
			return -1;
	return 0;
}

/* A switch that is 0 lets the program run without the profiler; another value is a mistake. */
static int check_switches(void)
{
	const char *all = getenv("COMPUTE_PROFILE");

	if (all && *all)
		return check_switch("COMPUTE_PROFILE");
	for (unsigned int i = 1; i < ENVIRON_FAMILIES; i++)
		if (is_on(environ_family(i)))
			return 0;
	for (unsigned int i = 1; i < ENVIRON_FAMILIES; i++)
		if (check_switch(environ_family(i)))
			return -1;
	return 0;
}

bool variable_values_want_samples(void)
{
	const char *rate = getenv("COMPUTE_PROFILE_SAMPLE");

	return rate && *rate && strcmp(rate, "0");
}

static bool has_mode(const char *mode)
{
	const char *value = getenv("COMPUTE_PROFILE_VALUES");

	return value && text_same(value, mode);
}

void variable_values_prepare(void)
{
	const char *config = getenv("COMPUTE_PROFILE_CONFIG");

	if (has_mode("lines") || (config && *config))
		library_tell_rewrite();
}

bool variable_values_want_objects(void)
{
	return has_mode("objects") || has_mode("flow") || has_mode("patterns") || has_mode("lines");
}

/* Returns the modes that are in effect for an API, as bits 1 << enum values_mode: not those that
 * no output has, or that need the events which COMPUTE_PROFILE_API=0 turns off. */
static unsigned int find_modes(void)
{
	unsigned int modes = 0;

	say_mute(true);
	for (int api = 0; api < API_COUNT; api++) {
		struct settings settings;

		settings_look(&settings, (enum api)api);
		modes |= settings.enabled ? 1U << settings.values : 0;
		settings_free(&settings);
	}
	say_mute(false);
	return modes;
}

void variable_values_say_cost(void)
{
	unsigned int modes = find_modes();
	bool patterns = modes & 1U << VALUES_PATTERNS;

	if (patterns || modes & 1U << VALUES_FLOW)
		say("%s recorded: the program waits for each command that writes to memory; "
		    "measured with PoCL, programs took 1 to 3 times as long",
		    patterns ? "the data flow and the patterns of values are" : "the data flow is");
	if (modes & 1U << VALUES_LINES)
		say("values are recorded by source line: measured with PoCL, rewritten kernels "
		    "took 1 to 10 times as long, and can take more than 20 times elsewhere; the "
		    "program waits for each launch of one");
}

int variable_values_check(void)
{
	return check_values() || check_all_on_off() || check_switches() ? -1 : 0;
}

void variable_values_say_unknown(void)
{
	struct strbuf text = STRBUF_INIT;

	for (char **entry = environ; *entry; entry++) {
		text.length = 0;
		if (variables_unknown(&text, *entry))
			say("%s", strbuf_text(&text));
	}
	strbuf_free(&text);
}

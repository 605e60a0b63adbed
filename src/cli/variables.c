/* SPDX-License-Identifier: MIT */
#include "cli/variables.h"

#include <stdio.h>
#include <string.h>

#include "cli/suggest.h"
#include "settings/environ.h"

#define TOOL "COMPUTEPROF"

enum { NAME = 256 };

/* The variables of the tool, without TOOL. */
static const char *const of_tool[] = {
	"_CACHE",     "_CONFIG_DIR", "_CUPTI",	 "_LIBRARY", "_MANIFEST", "_MEMORY",
	"_OVERWRITE", "_PROGRAM",    "_REWRITE", "_SINCE",   "_TOOL",
};

enum { OF_TOOL = sizeof(of_tool) / sizeof(of_tool[0]) };

/* Returns the part of `name` after `prefix`, which begins with "_"; NULL for other names. */
static const char *suffix_of(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);

	return !strncmp(name, prefix, length) && name[length] == '_' ? name + length : NULL;
}

/* Appends "; did you mean NAME?" for the setting with the most similar suffix. Of the other kind of
 * variable, only one with the same suffix is meant. Returns true if there is one. */
static bool suggest(struct strbuf *to, const char *suffix, const char *family)
{
	struct suggestion nearest;
	char name[NAME] = "";

	suggest_begin(&nearest, suffix);
	for (int id = ENVIRON_PROFILE + 1; id < ENVIRON_COUNT; id++)
		if (!environ_rows[id].whole &&
		    (family || !strcmp(suffix, environ_rows[id].suffix)))
			suggest_offer(&nearest, environ_rows[id].suffix);
	for (int id = ENVIRON_PROFILE + 1; id < ENVIRON_COUNT; id++)
		if (!strcmp(nearest.nearest[0].text, environ_rows[id].suffix))
			snprintf(name, sizeof(name), "%s%s",
				 family && environ_rows[id].family ? family : environ_family(0),
				 nearest.nearest[0].text);
	*nearest.nearest[0].text = '\0';
	for (int i = 0; i < OF_TOOL; i++)
		if (!family || !strcmp(suffix, of_tool[i]))
			suggest_offer(&nearest, of_tool[i]);
	if (*nearest.nearest[0].text)
		snprintf(name, sizeof(name), TOOL "%s", nearest.nearest[0].text);
	if (*name)
		strbuf_printf(to, "; did you mean %s?", name);
	return *name;
}

static bool is_setting(const char *suffix, unsigned int family)
{
	for (int id = ENVIRON_PROFILE + 1; id < ENVIRON_COUNT; id++)
		if (!strcmp(suffix, environ_rows[id].suffix))
			return !family || environ_rows[id].family;
	return false;
}

/* Returns true if the name is similar to that of a variable of the metrics logs, and is none. */
static bool suggest_metrics(struct strbuf *to, const char *name)
{
	struct suggestion nearest;

	if (!suffix_of(name, environ_rows[ENVIRON_PFLOG].suffix))
		return false;
	suggest_begin(&nearest, name);
	for (int id = ENVIRON_PFLOG; id < ENVIRON_COUNT; id++)
		suggest_offer(&nearest, environ_rows[id].suffix);
	if (!strcmp(nearest.nearest[0].text, name))
		return false;
	suggest_put(to, &nearest);
	return true;
}

static bool is_of_tool(const char *suffix)
{
	for (int i = 0; i < OF_TOOL; i++)
		if (!strcmp(suffix, of_tool[i]))
			return true;
	return suffix_of(suffix, "_TEST");
}

bool variables_unknown(struct strbuf *to, const char *entry)
{
	const char *end = strchr(entry, '='), *suffix;
	struct strbuf hint = STRBUF_INIT;
	bool unknown = false;
	char name[NAME];

	if (!end || !end[1] || end - entry >= NAME)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)(end - entry), entry);
	for (unsigned int i = 0; i < ENVIRON_FAMILIES; i++) {
		suffix = suffix_of(name, environ_family(i));
		if (!suffix || is_setting(suffix, i))
			continue;
		suggest(&hint, suffix, environ_family(i));
		unknown = true;
	}
	suffix = suffix_of(name, TOOL);
	if (suffix && !is_of_tool(suffix))
		unknown = suggest(&hint, suffix, NULL);
	unknown = unknown || suggest_metrics(&hint, name);
	if (unknown)
		strbuf_printf(to, "unknown variable %s is ignored%s", name, strbuf_text(&hint));
	strbuf_free(&hint);
	return unknown;
}

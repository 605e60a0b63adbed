/* SPDX-License-Identifier: MIT */
#include "cli/run/same_file.h"

#include <stdlib.h>

#include "base/say.h"
#include "cli/resolved_name.h"
#include "settings/filename.h"
#include "view/view.h"

enum { PLACES = 6, NO_PROCESS = 0xffffffff };

struct place {
	const char *what; /* NULL: the result was not requested */
	struct resolved_name file;
	const char *shown; /* in messages: the pattern if it has %p, which is not known yet */
};

static void find(struct place *place, const char *what, const char *pattern)
{
	struct strbuf name = STRBUF_INIT;

	*place = (struct place){0};
	if (!pattern || !*pattern)
		return;
	filename_expand(&name, pattern, 0, NO_PROCESS);
	if (!name.failed && resolved_name_find(&place->file, strbuf_text(&name))) {
		place->shown = filename_has(pattern, 'p') ? pattern : place->file.path;
		place->what = what;
	}
	strbuf_free(&name);
}

static bool is_same(const struct place *one, const struct place *other)
{
	return one->what && other->what && resolved_name_is_same(&one->file, &other->file);
}

static int check(const struct place *places)
{
	for (int i = 0; i < PLACES; i++) {
		for (int j = i + 1; j < PLACES; j++) {
			if (!is_same(&places[i], &places[j]))
				continue;
			say("the %s and the %s would be the same file, %s; no program was run",
			    places[i].what, places[j].what, places[i].shown);
			return -1;
		}
	}
	return 0;
}

int same_file_check(const struct flags *flags, const struct settings *settings)
{
	const char *output = flags->value[FLAG_OUTPUT];
	struct strbuf usual = STRBUF_INIT;
	struct place places[PLACES];
	int result;

	settings_default_log(&usual, settings->layout.dialect, settings->layout.api);
	find(&places[0], "log", settings->log ? settings->log : strbuf_text(&usual));
	find(&places[1], "trace", settings->trace);
	find(&places[2], "output of -o", output && view_find(output) ? output : NULL);
	find(&places[3], "output of --log-file", flags->value[FLAG_LOG_FILE]);
	find(&places[4], "API log", settings->api_log);
	find(&places[5], "event stream", settings->events);
	result = check(places);
	for (int i = 0; i < PLACES; i++)
		free(places[i].file.path);
	strbuf_free(&usual);
	return result;
}

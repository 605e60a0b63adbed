/* SPDX-License-Identifier: MIT */
#include "cli/run/same_file.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/resolved_name.h"
#include "cli/run/program.h"
#include "settings/filename.h"
#include "view/view.h"

enum { METRICS = 6, PLACES = METRICS + 3, NO_PROCESS = 0xffffffff };

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

/* Returns true if the path of a result is that of the file at `input`, also by another link. */
static bool is_input(const struct place *place, const struct stat *input)
{
	struct stat status;

	return place->what && !stat(place->file.path, &status) &&
	       status.st_dev == input->st_dev && status.st_ino == input->st_ino;
}

/* Returns -1 after a message if a result would replace what the run reads. */
static int check_input(const struct place *places, const char *what, const char *path)
{
	struct stat input;

	if (!path || stat(path, &input) || !S_ISREG(input.st_mode))
		return 0;
	for (int i = 0; i < PLACES; i++) {
		if (!is_input(&places[i], &input))
			continue;
		say("the %s would replace the %s, %s; no program was run", places[i].what, what,
		    path);
		return -1;
	}
	return 0;
}

/* Returns -1 after a message if a result would replace a file that the tool's own standard output
 * or error goes to: it is that of the shell, too. */
static int check_streams(const struct place *places)
{
	struct stat stream;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fstat(fd, &stream) || !S_ISREG(stream.st_mode))
			continue;
		for (int i = 0; i < PLACES; i++) {
			if (!is_input(&places[i], &stream))
				continue;
			say("the %s would replace the file of standard %s, %s; no program was run",
			    places[i].what, fd == STDOUT_FILENO ? "output" : "error",
			    places[i].shown);
			return -1;
		}
	}
	return 0;
}

static int check_inputs(const struct place *places, const struct flags *flags,
			const struct settings *settings)
{
	struct strbuf program = STRBUF_INIT;
	int result = check_input(places, "configuration file", settings->config);

	if (!result && flags->argument_count && !program_find(&program, flags->arguments[0]))
		result = check_input(places, "program", strbuf_text(&program));
	strbuf_free(&program);
	return result;
}

static void find_metrics(struct place *places, const struct settings *settings)
{
	static const char *const names[] = {"metrics.log", "timeline.log", "metrics.prom"};
	const char *directory = settings->metrics.directory;

	for (int i = 0; i < PLACES - METRICS; i++) {
		struct strbuf path = STRBUF_INIT;
		bool wanted = directory && (i < 2 || settings->metrics.prometheus);

		if (wanted)
			strbuf_printf(&path, "%s/%s", directory, names[i]);
		find(&places[METRICS + i], names[i], path.failed ? NULL : path.data);
		strbuf_free(&path);
	}
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
	find_metrics(places, settings);
	result = check(places) || check_inputs(places, flags, settings) || check_streams(places)
			 ? -1
			 : 0;
	for (int i = 0; i < PLACES; i++)
		free(places[i].file.path);
	strbuf_free(&usual);
	return result;
}

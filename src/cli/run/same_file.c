/* SPDX-License-Identifier: MIT */
#include "cli/run/same_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "settings/filename.h"
#include "view/view.h"

enum { SIZE = 4096, LINKS = 40, PLACES = 6, NO_PROCESS = 0xffffffff };

/* A resolved file name. The file need not exist. */
struct place {
	const char *what; /* NULL: the result was not requested */
	dev_t device;	  /* of the directory */
	ino_t inode;
	char *path;	  /* with links resolved; malloc'ed, for small stacks */
	const char *name; /* the last part of `path` */
	const char *shown; /* in messages: the pattern if it has %p, which is not known yet */
};

/* Replaces `path` by the target of the link at `path`. Returns false if it is no link or does not
 * fit. */
static bool follow(char *path)
{
	char target[SIZE], directory[SIZE];
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	struct strbuf joined = STRBUF_INIT;
	bool fits;

	if (length <= 0 || file_directory(directory, sizeof(directory), path))
		return false;
	target[length] = '\0';
	if (*target != '/')
		strbuf_printf(&joined, "%s/", directory);
	strbuf_string(&joined, target);
	fits = !joined.failed && joined.length < SIZE;
	if (fits)
		memcpy(path, strbuf_text(&joined), joined.length + 1);
	strbuf_free(&joined);
	return fits;
}

/* Devices and FIFOs take several results. */
static bool is_file_to_be(const char *path)
{
	struct stat status;

	return stat(path, &status) || S_ISREG(status.st_mode);
}

static void find(struct place *place, const char *what, const char *pattern)
{
	struct strbuf name = STRBUF_INIT;
	char path[SIZE] = "", directory[SIZE];
	struct stat status;
	const char *slash;

	*place = (struct place){0};
	if (!pattern || !*pattern)
		return;
	filename_expand(&name, pattern, 0, NO_PROCESS);
	if (!name.failed && name.length < SIZE)
		memcpy(path, strbuf_text(&name), name.length + 1);
	strbuf_free(&name);
	if (!is_file_to_be(path))
		return;
	for (int i = 0; i < LINKS && follow(path); i++)
		;
	if (!*path || file_directory(directory, sizeof(directory), path) ||
	    stat(directory, &status))
		return;
	place->path = strdup(path);
	if (!place->path)
		return;
	slash = strrchr(place->path, '/');
	place->name = slash ? slash + 1 : place->path;
	place->shown = filename_has(pattern, 'p') ? pattern : place->path;
	place->device = status.st_dev;
	place->inode = status.st_ino;
	place->what = what;
}

static bool is_same(const struct place *one, const struct place *other)
{
	return one->what && other->what && one->device == other->device &&
	       one->inode == other->inode && !strcmp(one->name, other->name);
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
	const char *usual = settings_default_log(settings->layout.dialect, settings->layout.api);
	struct place places[PLACES];
	int result;

	find(&places[0], "log", settings->log ? settings->log : usual);
	find(&places[1], "trace", settings->trace);
	find(&places[2], "output of -o", output && view_find(output) ? output : NULL);
	find(&places[3], "output of --log-file", flags->value[FLAG_LOG_FILE]);
	find(&places[4], "API log", settings->api_log);
	find(&places[5], "event stream", settings->events);
	result = check(places);
	for (int i = 0; i < PLACES; i++)
		free(places[i].path);
	return result;
}

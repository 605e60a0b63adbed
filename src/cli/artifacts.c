/* SPDX-License-Identifier: MIT */
#include "cli/artifacts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/say.h"
#include "cli/lines.h"
#include "session/manifest.h"

#define VARIABLE "COMPUTEPROF_MANIFEST"

/* The processes' lines need room when there may be none left: of a page it is certain. */
static bool has_no_room(int file)
{
	return fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 4096) && errno == ENOSPC;
}

/* Absolute: programs change their directory. */
static char *make_file(void)
{
	const char *given = getenv("TMPDIR");
	const char *directory = given && *given ? given : "/tmp";
	char path[PATH_MAX];
	struct strbuf name = STRBUF_INIT;
	int file;

	strbuf_printf(&name, "%s/computeprof.XXXXXX", directory);
	file = file_absolute(path, sizeof(path), strbuf_text(&name));
	strbuf_free(&name);
	if (!file)
		file = mkostemp(path, O_CLOEXEC);
	if (file < 0 || has_no_room(file)) {
		say("cannot make a file for the list of logs in %s: %m; they will not be named",
		    directory);
		if (file >= 0) {
			unlink(path);
			close(file);
		}
		return NULL;
	}
	close(file);
	return strdup(path);
}

bool artifacts_are_others(void)
{
	const char *outer = getenv(VARIABLE);

	return outer && *outer;
}

void artifacts_open(struct artifacts *artifacts)
{
	const char *outer = getenv(VARIABLE);

	*artifacts = (struct artifacts){.outer = outer && *outer ? strdup(outer) : NULL};
	unsetenv(VARIABLE);
	artifacts->path = make_file();
	if (artifacts->path)
		setenv(VARIABLE, artifacts->path, 1);
}

void artifacts_add(struct strbuf *list, const char *line, size_t length)
{
	if (lines_have(strbuf_text(list), line, length, false))
		return;
	strbuf_append(list, line, length);
	strbuf_char(list, '\n');
}

static void sort_line(struct artifact_lists *lists, const char *line, size_t length)
{
	const struct {
		const char *word;
		struct strbuf *list;
	} kinds[] = {
		{"log ", &lists->logs},	   {"trace ", &lists->traces}, {"ring ", &lists->rings},
		{"waits ", &lists->waits}, {"asked ", &lists->asked},	{"lost ", &lists->losses},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t word = strlen(kinds[i].word);

		if (length > word && !memcmp(line, kinds[i].word, word))
			artifacts_add(kinds[i].list, line + word, length - word);
	}
}

void artifacts_close(struct artifacts *artifacts, struct artifact_lists *lists)
{
	struct stat status;
	struct strbuf text = STRBUF_INIT;
	const char *at, *line;
	size_t length;

	if (!artifacts->path)
		return;
	if (lines_read_file(&text, artifacts->path))
		say("cannot read the list of logs %s: %m", artifacts->path);
	lists->cut = !stat(artifacts->path, &status) && (status.st_mode & 0777) == MANIFEST_CUT;
	unlink(artifacts->path);
	at = strbuf_text(&text);
	while ((line = lines_next(&at, &length)))
		sort_line(lists, line, length);
	strbuf_free(&text);
}

static void prefix_lines(struct strbuf *to, const char *word, struct strbuf *list)
{
	const char *at = strbuf_text(list), *line;
	size_t length;

	while ((line = lines_next(&at, &length)))
		strbuf_printf(to, "%s %.*s\n", word, (int)length, line);
}

bool artifacts_hand_on(const struct artifacts *artifacts, const struct artifact_lists *lists)
{
	struct artifact_lists copy = *lists;
	struct strbuf text = STRBUF_INIT;
	bool done;
	int file;

	if (!artifacts->outer)
		return false;
	file = open(artifacts->outer, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	if (file < 0)
		return false;
	prefix_lines(&text, "log", &copy.logs);
	prefix_lines(&text, "trace", &copy.traces);
	prefix_lines(&text, "ring", &copy.rings);
	prefix_lines(&text, "waits", &copy.waits);
	prefix_lines(&text, "asked", &copy.asked);
	prefix_lines(&text, "lost", &copy.losses);
	if (lists->cut)
		fchmod(file, MANIFEST_CUT);
	done = write(file, text.data ? text.data : "", text.length) == (ssize_t)text.length;
	close(file);
	strbuf_free(&text);
	return done;
}

void artifacts_free(struct artifacts *artifacts, struct artifact_lists *lists)
{
	free(artifacts->path);
	free(artifacts->outer);
	strbuf_free(&lists->logs);
	strbuf_free(&lists->traces);
	strbuf_free(&lists->rings);
	strbuf_free(&lists->waits);
	strbuf_free(&lists->asked);
	strbuf_free(&lists->losses);
}

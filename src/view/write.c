/* SPDX-License-Identifier: MIT */
/* All of a file or nothing. */
#include "view/view.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "view/lastwords.h"
#include "view/progress.h"

static char unfinished[PATH_MAX]; /* for the signal handler */

/* An empty file beside `path`, named after it, with the rights of a new file. -1 with errno. */
static int begin(const char *path)
{
	mode_t mask = umask(0);
	struct stat status;
	int file;

	umask(mask);
	if (!lstat(path, &status) && !S_ISREG(status.st_mode)) {
		errno = EEXIST; /* a device or a link is not to be replaced */
		return -1;
	}
	if ((size_t)snprintf(unfinished, sizeof(unfinished), "%s.XXXXXX", path) >=
	    sizeof(unfinished)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	lastwords_remove(unfinished);
	file = mkstemp(unfinished);
	if (file < 0)
		return -1;
	fchmod(file, 0666 & ~mask);
	return close(file);
}

/* The file that was asked for, where the sentence names the unfinished one. */
static void name_target(struct strbuf *error, const char *path)
{
	const char *found = error->length ? strstr(strbuf_text(error), unfinished) : NULL;
	size_t cut = strlen(unfinished) - strlen(path), at;

	if (!found)
		return;
	at = (size_t)(found - error->data) + strlen(path);
	error->length -= cut;
	memmove(error->data + at, error->data + at + cut, error->length - at);
}

/* 1 if there is something to say. */
static int tell_damage(struct stream *stream, struct strbuf *error)
{
	const char *damage = stream_damage(stream);

	if (damage)
		strbuf_string(error, damage);
	return damage ? 1 : 0;
}

static int check_starts(const struct view *view, const char *path, struct stream *stream,
			struct strbuf *error)
{
	struct strbuf why = STRBUF_INIT;
	int result = view->without_starts ? 0 : stream_need_starts(stream, &why);

	if (result)
		strbuf_printf(error, "%s cannot be made: %s", path, strbuf_text(&why));
	strbuf_free(&why);
	return result;
}

int view_write(const struct view *view, const char *path, struct stream *stream,
	       struct strbuf *error)
{
	struct progress progress;
	int result;

	if (check_starts(view, path, stream, error))
		return -1;
	lastwords_begin();
	if (begin(path)) {
		strbuf_printf(error, "cannot write %s: %s", path, strerror(errno));
		lastwords_end();
		return -1;
	}
	stream_end_at_damage(stream, path);
	progress_begin(&progress, stream);
	result = view->write(unfinished, stream, error);
	progress_end(&progress, stream);
	if (!result && rename(unfinished, path)) {
		strbuf_printf(error, "cannot write %s: %s", path, strerror(errno));
		result = -1;
	}
	if (result) {
		name_target(error, path);
		unlink(unfinished);
	}
	lastwords_end();
	return result ? result : tell_damage(stream, error);
}

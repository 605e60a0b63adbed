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
static int tell_damage(struct stream *stream, const char *path, struct strbuf *error)
{
	const char *damage = stream_damage(stream);

	if (damage)
		strbuf_printf(error, "%s; %s has %s", damage, path,
			      stream_goes_on(stream) ? "all others" : "what came before");
	return damage ? 1 : 0;
}

int view_write(const struct view *view, const char *path, struct stream *stream,
	       struct strbuf *error)
{
	const char *no_starts = stream_no_starts(stream);
	struct progress progress;
	int result;

	if (no_starts && !view->without_starts) {
		strbuf_printf(error, "%s cannot be made: %s", path, no_starts);
		return -1;
	}
	lastwords_begin();
	if (begin(path)) {
		strbuf_printf(error, "cannot write %s: %s", path, strerror(errno));
		lastwords_end();
		return -1;
	}
	stream_end_at_damage(stream);
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
	return result ? result : tell_damage(stream, path, error);
}

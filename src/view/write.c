/* SPDX-License-Identifier: MIT */
/* All of a file or nothing. */
#include "view/view.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "view/progress.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static char unfinished[PATH_MAX]; /* for the signal handler */
static struct sigaction before[SIGNALS];

static const char *last_words;

void view_last_words(const char *text)
{
	last_words = text;
}

static void give_up(int number)
{
	unlink(unfinished);
	if (last_words && write(STDERR_FILENO, last_words, strlen(last_words)) < 0)
		_exit(128 + number);
	signal(number, SIG_DFL);
	raise(number);
}

/* A signal that is ignored stays so. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = give_up};

	for (int i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
	}
}

static void let_signals(void)
{
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
}

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
		strbuf_printf(error, "%s; %s has what came before", damage, path);
	return damage ? 1 : 0;
}

int view_write(const struct view *view, const char *path, struct stream *stream,
	       struct strbuf *error)
{
	struct progress progress;
	int result;

	catch_signals();
	if (begin(path)) {
		strbuf_printf(error, "cannot write %s: %s", path, strerror(errno));
		let_signals();
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
	let_signals();
	return result ? result : tell_damage(stream, path, error);
}

/* SPDX-License-Identifier: MIT */
#include "view/temp_cleanup.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "view/folder.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };

static struct sigaction before[SIGNALS];
static unsigned depth;

/* Used by the signal handler. */
static const char *volatile unfinished;
static const char *volatile words;

static void remove_and_end(int number)
{
	const char *text = words;

	if (unfinished && unlink(unfinished))
		folder_remove(unfinished);
	if (text && write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(128 + number);
	signal(number, SIG_DFL);
	raise(number);
}

void temp_cleanup_begin(void)
{
	struct sigaction action = {.sa_handler = remove_and_end};

	if (depth++)
		return;
	for (int i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
	}
}

void temp_cleanup_end(void)
{
	unfinished = NULL;
	if (--depth)
		return;
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
}

void temp_cleanup_remove(const char *path)
{
	unfinished = path;
}

void temp_cleanup_say(const char *text)
{
	words = text;
}

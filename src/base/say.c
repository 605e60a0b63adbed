/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/say.h"
#include "base/text.h"

enum { SAY_SIZE = 1024 };

static const char prefix[] = "computeprof: ";
static const char cut[] = "...";

static bool silent;

void say_look_for_reader(void)
{
	silent = fcntl(STDERR_FILENO, F_GETFD) < 0 && errno == EBADF;
}

/* Makes the line in `to` (SAY_SIZE bytes) from the text; returns its length. */
static size_t make_line(char *to, const char *text, size_t size, bool whole)
{
	size_t length = sizeof(prefix) - 1;
	size_t room = SAY_SIZE - length - sizeof(cut); /* the cut and the newline */
	size_t taken;

	memcpy(to, prefix, length);
	length += text_visible(to + length, room, text, size, &taken);
	if (!whole || taken < size) {
		memcpy(to + length, cut, sizeof(cut) - 1);
		length += sizeof(cut) - 1;
	}
	to[length++] = '\n';
	return length;
}

/* write(2), but a reader that has gone away does not kill the host. */
static void write_quietly(const char *line, size_t length)
{
	sigset_t pipe_signal, pending, before;
	bool ours;

	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	sigemptyset(&pending);
	sigpending(&pending);
	ours = !sigismember(&pending, SIGPIPE);
	if (pthread_sigmask(SIG_BLOCK, &pipe_signal, &before))
		return;
	if (write(STDERR_FILENO, line, length) < 0 && errno == EPIPE && ours)
		sigtimedwait(&pipe_signal, NULL, &(struct timespec){0});
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void say(const char *format, ...)
{
	char text[SAY_SIZE], line[SAY_SIZE];
	int kept = errno;
	va_list arguments;
	int length;

	if (silent)
		return;
	va_start(arguments, format);
	length = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (length >= 0) {
		bool whole = (size_t)length < sizeof(text);
		size_t size = whole ? (size_t)length : sizeof(text) - 1;

		write_quietly(line, make_line(line, text, size, whole));
	}
	errno = kept;
}

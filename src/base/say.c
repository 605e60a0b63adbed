/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/quiet.h"
#include "base/say.h"
#include "base/text.h"

enum {
	SAY_SIZE = 1024,
	NEWS = 256, /* that are remembered */
};

static const char prefix[] = "computeprof: ";
static const char cut[] = "...";

static bool silent; /* nobody reads */
static bool muted;

void say_mute(bool mute)
{
	muted = mute;
}

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

static void write_line(const char *line, size_t length)
{
	struct quiet quiet;

	quiet_begin(&quiet);
	quiet_end(&quiet, write(STDERR_FILENO, line, length) < 0 ? errno : 0);
}

static bool is_new(const char *text, size_t size)
{
	static uint64_t said[NEWS];
	uint64_t hash = text_hash(text, size);

	for (int i = 0; i < NEWS; i++) {
		uint64_t other = 0;

		if (__atomic_compare_exchange_n(&said[i], &other, hash, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return true;
		if (other == hash)
			return false;
	}
	return true;
}

__attribute__((format(printf, 2, 0))) static void say_all(bool only_news, const char *format,
							  va_list arguments)
{
	char text[SAY_SIZE], line[SAY_SIZE];
	int kept = errno;
	int length = vsnprintf(text, sizeof(text), format, arguments);

	if (length >= 0) {
		bool whole = (size_t)length < sizeof(text);
		size_t size = whole ? (size_t)length : sizeof(text) - 1;

		if (!only_news || is_new(text, size))
			write_line(line, make_line(line, text, size, whole));
	}
	errno = kept;
}

void say(const char *format, ...)
{
	va_list arguments;

	if (silent || muted)
		return;
	va_start(arguments, format);
	say_all(false, format, arguments);
	va_end(arguments);
}

void say_new(const char *format, ...)
{
	va_list arguments;

	if (silent || muted)
		return;
	va_start(arguments, format);
	say_all(true, format, arguments);
	va_end(arguments);
}

void say_no_memory(void)
{
	static int once;

	say_once(&once, "no memory for the profiler; the program runs on without it");
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "base/say.h"
#include "base/sigmask.h"
#include "base/text.h"

enum {
	SAY_SIZE = 1024,
	NEWS = 256, /* remembered messages */
	KEPT_LINES = 8, /* lines kept for the log */
	PATIENCE = 100, /* ms to wait for a full stderr, once per process */
};

static const char prefix[] = SAY_PREFIX;
static const char cut[] = "...";

static bool muted;

/* In the library: the state of stderr at the start of the program. */
static bool guest;
static bool closed;
static struct stat stderr_then;

enum line_state { LINE_FREE, LINE_IN_WORK, LINE_KEPT, LINE_HANDED_OUT };

static struct {
	_Atomic int state; /* enum line_state */
	char text[SAY_SIZE + 1];
} kept_lines[KEPT_LINES];

void say_mute(bool mute)
{
	muted = mute;
}

void say_look_for_reader(void)
{
	guest = true;
	closed = fstat(STDERR_FILENO, &stderr_then) && errno == EBADF;
}

/* The number of the process that the tool has started, or 0. Other processes of its run may have
 * the same messages, so they name themselves. */
static int program;

void say_set_program(const char *pid)
{
	program = pid ? (int)number_read(pid, NULL) : 0;
}

static char own_rank[16]; /* "rank N" in a job; else empty */

void say_set_rank(const char *rank)
{
	if (rank)
		snprintf(own_rank, sizeof(own_rank), "rank %s", rank);
	else
		*own_rank = '\0';
}

/* Writes the prefix, "rank N" in a job, and "process PID" if it is not the program. Returns the
 * length. */
static size_t begin_line(char to[SAY_SIZE])
{
	int pid = program ? (int)getpid() : 0;

	if (pid != program)
		return (size_t)snprintf(to, SAY_SIZE, "%s%s%sprocess %d: ", prefix, own_rank,
					*own_rank ? ", " : "", pid);
	return (size_t)snprintf(to, SAY_SIZE, "%s%s%s", prefix, own_rank, *own_rank ? ": " : "");
}

/* Formats the text as a line in `to` (SAY_SIZE bytes) and returns its length. */
static size_t make_line(char *to, const char *text, size_t size, bool whole)
{
	size_t length = begin_line(to);
	size_t room = SAY_SIZE - length - sizeof(cut); /* keeps room for the cut mark and the
						        * newline */
	size_t taken;

	length += text_visible(to + length, room, text, size, &taken);
	if (!whole || taken < size) {
		memcpy(to + length, cut, sizeof(cut) - 1);
		length += sizeof(cut) - 1;
	}
	to[length++] = '\n';
	return length;
}

/* Returns true if the descriptor still is the program's stderr, also if fstat is forbidden. */
static bool is_stderr(void)
{
	struct stat now;

	if (closed)
		return false;
	if (fstat(STDERR_FILENO, &now))
		return errno != EBADF;
	return !stderr_then.st_ino ||
	       (now.st_ino == stderr_then.st_ino && now.st_dev == stderr_then.st_dev);
}

/* A pipe may be full without a reader, and a terminal may be stopped. */
static bool has_room(void)
{
	static _Atomic bool in_vain;
	struct pollfd file = {.fd = STDERR_FILENO, .events = POLLOUT};
	int ready = poll(&file, 1, atomic_load(&in_vain) ? 0 : PATIENCE);

	if (ready < 0 && errno == EINTR)
		ready = poll(&file, 1, 0);
	if (!ready)
		atomic_store(&in_vain, true);
	return ready; /* not 0 if poll is forbidden */
}

static void keep_line(const char *line, size_t length)
{
	for (int i = 0; i < KEPT_LINES; i++) {
		int expected = LINE_FREE;

		if (!atomic_compare_exchange_strong(&kept_lines[i].state, &expected, LINE_IN_WORK))
			continue;
		memcpy(kept_lines[i].text, line, length);
		kept_lines[i].text[length] = '\0';
		atomic_store(&kept_lines[i].state, LINE_KEPT);
		return;
	}
}

const char *say_next_kept(void)
{
	for (int i = 0; i < KEPT_LINES; i++) {
		int expected = LINE_KEPT;

		if (atomic_compare_exchange_strong(&kept_lines[i].state, &expected,
						   LINE_HANDED_OUT))
			return kept_lines[i].text;
	}
	return NULL;
}

void say_end_kept(bool written)
{
	for (int i = 0; i < KEPT_LINES; i++) {
		int expected = LINE_HANDED_OUT;

		atomic_compare_exchange_strong(&kept_lines[i].state, &expected,
					       written ? LINE_FREE : LINE_KEPT);
	}
}

void say_forked(void)
{
	for (int i = 0; i < KEPT_LINES; i++)
		atomic_store(&kept_lines[i].state, LINE_FREE);
}

/* Returns false if stderr did not take the line. */
static bool write_line(const char *line, size_t length)
{
	struct quiet quiet;
	ssize_t written;

	if (guest && !(is_stderr() && has_room())) {
		keep_line(line, length);
		return false;
	}
	sigmask_begin(&quiet);
	written = write(STDERR_FILENO, line, length);
	sigmask_end(&quiet, written < 0 ? errno : 0);
	/* Its disk is full, its pipe has no reader, or a limit on file sizes is reached. */
	if (guest && written < (ssize_t)length)
		keep_line(line, length);
	return written == (ssize_t)length;
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

	if (muted)
		return;
	va_start(arguments, format);
	say_all(false, format, arguments);
	va_end(arguments);
}

void say_where(char where[SAY_WHERE])
{
	struct stat status;

	if (fstat(STDERR_FILENO, &status))
		strcpy(where, "-");
	else
		snprintf(where, SAY_WHERE, "%llx:%llx", (unsigned long long)status.st_dev,
			 (unsigned long long)status.st_ino);
}

void say_text(const char *text, char where[SAY_WHERE])
{
	char line[SAY_SIZE];
	int kept = errno;

	say_where(where);
	if (muted || !write_line(line, make_line(line, text, strlen(text), true)))
		strcpy(where, "-");
	errno = kept;
}

void say_new(const char *format, ...)
{
	va_list arguments;

	if (muted)
		return;
	va_start(arguments, format);
	say_all(true, format, arguments);
	va_end(arguments);
}

void say_once(int *flag, const char *format, ...)
{
	va_list arguments;

	if (muted || __atomic_exchange_n(flag, 1, __ATOMIC_RELAXED))
		return;
	va_start(arguments, format);
	say_all(false, format, arguments);
	va_end(arguments);
}

void say_no_memory(void)
{
	static int once;

	say_once(&once, "out of memory: the program runs without the profiler");
}

/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "recorder.h"

static unsigned counts[NOTES_KINDS];

char *note_path(const char *variable, const char *usual)
{
	const char *pattern = getenv(variable), *mark;
	char *path = NULL;

	if (!pattern)
		pattern = usual;
	if (!pattern)
		return NULL;
	mark = strstr(pattern, "%p");
	if (!mark)
		return strdup(pattern);
	if (asprintf(&path, "%.*s%d%s", (int)(mark - pattern), pattern, getpid(), mark + 2) < 0)
		return NULL;
	return path;
}

/* Opened for each line: the notes of a killed process are complete, and a forked child has its
 * own. */
static void write_line(const char *line, size_t length)
{
	char *path = note_path("RECORDER_NOTES", "recorder.%p");
	int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;

	if (file >= 0) {
		if (write(file, line, length) < 0)
			perror(path);
		close(file);
	}
	free(path);
}

void note(enum notes kind, const char *format, ...)
{
	char line[512];
	struct timespec time;
	va_list arguments;
	int length;

	if (__atomic_fetch_add(&counts[kind], 1, __ATOMIC_RELAXED) >= NOTES_MOST)
		return;
	clock_gettime(CLOCK_MONOTONIC, &time);
	length = snprintf(line, sizeof(line), "%lld%09ld %ld ", (long long)time.tv_sec,
			  time.tv_nsec, syscall(SYS_gettid));
	va_start(arguments, format);
	length += vsnprintf(line + length, sizeof(line) - (size_t)length - 1, format, arguments);
	va_end(arguments);
	if (length > (int)sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	write_line(line, (size_t)length);
}

void note_counts(void)
{
	note(NOTES_TOTAL, "total: %u callbacks, %u buffers, %u records", counts[NOTES_CALLBACK],
	     counts[NOTES_BUFFER], counts[NOTES_RECORD]);
}

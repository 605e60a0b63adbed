/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_CONFIGFILE_H
#define SETTINGS_CONFIGFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/*
 * Preprocesses a configuration file for inih. inih expects name=value lines of less than 200 bytes
 * and treats indentation as continuation and a semicolon as a comment. The files have bare words,
 * blanks anywhere and lines of any length. So the file is read into memory once, and every line is
 * converted before inih reads it.
 */
enum { CONFIG_LINE_SIZE = 256, CONFIG_COUNTER_SIZE = 64 };

struct config_lines {
	const char *path; /* for messages */
	const char *next; /* unread bytes */
	const char *end;
	const char *word; /* the name of the current line, as written */
	unsigned line;    /* its line number, from 1 */
	bool sections;    /* the first [section] has started */
	bool hidden;      /* semicolons of the current line are replaced for inih */
	bool quiet;       /* no messages: the file is read again with messages */
	unsigned message_count; /* number of messages */
	unsigned section; /* line number of the current section's start */
	char counter[CONFIG_COUNTER_SIZE]; /* NAME in a section [counter NAME], else empty */
};

/* Reads a regular file of at most CONFIG_SIZE_LIMIT bytes without blocking. Returns NULL, or the
 * reason why it cannot be used. */
const char *config_read(struct strbuf *to, const char *path);

void config_lines_init(struct config_lines *lines, const char *path, const char *text, size_t size);

/* Callback of inih (ini_reader): returns the next line that is not empty, with names in lower
 * case. */
char *config_lines_next(char *to, int size, void *lines);

/* Prints a message about the current line, with its position. Only the first messages of a file are
 * printed. */
void config_say(struct config_lines *lines, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns the original spelling of the current line's value; `to` has room for `size` bytes. */
const char *config_lines_value(const struct config_lines *lines, char *to, size_t size,
			       const char *value);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_CONFIGFILE_H
#define SETTINGS_CONFIGFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/*
 * The way from a configuration file to inih. inih wants name=value lines of less than 200 bytes,
 * takes indentation for a continuation and a semicolon for a comment; the files have bare words,
 * blanks anywhere and lines of any length. So the file is read into memory once and every line is
 * put into inih's form before inih sees it.
 */
enum { CONFIG_LINE_SIZE = 256, CONFIG_COUNTER_SIZE = 64 };

struct config_lines {
	const char *path; /* for messages */
	const char *next; /* unread bytes */
	const char *end;
	const char *word; /* the name of the current line, as written */
	unsigned line;    /* its number, from 1 */
	bool sections;    /* the first [section] has been seen */
	bool hidden;      /* the current line has semicolons that inih must not see */
	bool quiet;       /* mistakes are not said: somebody else reads the file once more */
	unsigned said;    /* how many were said */
	unsigned section; /* the number of the line that the current section begins at */
	char counter[CONFIG_COUNTER_SIZE]; /* NAME in a section [counter NAME], else empty */
};

/* Reads all of a regular file of at most CONFIG_SIZE_LIMIT bytes, without ever waiting for it.
 * NULL, or the reason why it cannot be used. */
const char *config_read(struct strbuf *to, const char *path);

void config_lines_init(struct config_lines *lines, const char *path, const char *text, size_t size);

/* An ini_reader: the next line that has something to say, names in lower case. */
char *config_lines_next(char *to, int size, void *lines);

/* Says what is wrong with the current line, and where that is: of the first mistakes only, however
 * many there are. */
void config_say(struct config_lines *lines, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The value that inih made of the current line, as it was written; `to` has room for `size`. */
const char *config_lines_value(const struct config_lines *lines, char *to, size_t size,
			       const char *value);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_ESCAPE_H
#define OUTPUT_ESCAPE_H

#include <stddef.h>

/*
 * Names that come from outside, made harmless: a byte that could forge a part of the log is written
 * as \xNN (lower case). Always so: control characters, line separators, bytes that are not UTF-8,
 * and a backslash before an x, so that reading \xNN back gives the name again.
 */
enum escape {
	ESCAPE_TEXT,  /* rest of a header line: nothing else */
	ESCAPE_WORD,  /* value of a KVP row: blanks, and ] before a blank or at the end */
	ESCAPE_SHOWN, /* in a table: hidden characters (text_is_hidden) */
	ESCAPE_FIELD, /* field of a CSV row: the same, commas, and a first byte that readers know */
};

/* Room that `length` bytes may take. */
#define ESCAPE_SIZE(length) (4 * (size_t)(length))

/* Writes at `to` and returns the first byte after it. */
char *escape_name(char *to, const char *name, size_t length, enum escape escape);

/* The same for a name that text_is_word is true of: there is little to look for in it. */
char *escape_word(char *to, const char *name, size_t length, enum escape escape);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_ESCAPE_H
#define OUTPUT_ESCAPE_H

#include "base/strbuf.h"

/*
 * Escapes names from outside: a byte that could forge a part of the log is written as \xNN (lower
 * case). Control characters, line separators, bytes that are not UTF-8, and a backslash before an x
 * are always escaped, so that decoding \xNN restores the name.
 */
enum escape {
	ESCAPE_TEXT,  /* rest of a header line: only these */
	ESCAPE_WORD,  /* value of a KVP row: also blanks, and ] before a blank or at the end */
	ESCAPE_SHOWN, /* in a table: also hidden characters (text_is_hidden) */
	ESCAPE_FIELD, /* field of a CSV row: as ESCAPE_SHOWN, also commas, and a special first
		       * byte */
};

/* The most bytes that `length` bytes may take. */
#define ESCAPE_SIZE(length) (4 * (size_t)(length))

/* Writes at `to` and returns the first byte after it. */
char *escape_name(char *to, const char *name, size_t length, enum escape escape);

/* Appends the escaped name. */
void escape_put(struct strbuf *to, const char *name, size_t length, enum escape escape);

/* As escape_name, for a name for which text_is_word is true: faster. */
char *escape_word(char *to, const char *name, size_t length, enum escape escape);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <stdio.h>

#include "base/map.h"
#include "base/strbuf.h"

/* Text as lines. */

/* Appends a file's bytes, at most 64 MiB of them. 0, or -1 with errno set. */
int lines_read_file(struct strbuf *to, const char *path);

/* Prints text in lines of at most `width` columns, `indent` blanks before each. */
void lines_paragraph(const char *text, unsigned indent, unsigned width);

/* Prints text from outside: what a terminal would obey, or nobody would see, as \xNN. */
void lines_put(FILE *stream, const char *text, size_t size);

/* The next line of the string at `*at`, which is moved past it; NULL at the end. Not terminated;
 * `length` is without the newline. */
const char *lines_next(const char **at, size_t *length);

/* Whether the list has this line of `size` bytes; `last`: as its last one. */
bool lines_have(const char *list, const char *line, size_t size, bool last);

/* Appends the line and a newline, unless `list` has got that line from here already. `seen` is for
 * this, of one list or of several, which are not moved meanwhile. */
void lines_add_new(struct map *seen, struct strbuf *list, const char *line, size_t size);

#endif

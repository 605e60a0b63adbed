/* SPDX-License-Identifier: MIT */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <stdio.h>

#include "base/map.h"
#include "base/strbuf.h"

/* Functions for text that consists of lines. */

/* Appends the contents of a file, at most 64 MiB. Returns 0, or -1 with errno set. */
int lines_read_file(struct strbuf *to, const char *path);

/* The same, at most LINES_LARGE bytes and a part of the next 64 KiB. */
#define LINES_LARGE (UINT64_C(1) << 32)
int lines_read_large_file(struct strbuf *to, const char *path);

/* Prints `text` in lines of at most `width` columns, each indented by `indent` blanks. */
void lines_paragraph(const char *text, unsigned indent, unsigned width);

/* Prints untrusted text. Control and invisible characters are printed as \xNN. */
void lines_put(FILE *stream, const char *text, size_t size);

/* Appends untrusted text in the same way. */
void lines_put_in(struct strbuf *to, const char *text, size_t size);

/* Returns the next line of the string at `*at` and moves `*at` past it; NULL at the end. The line
 * is not terminated; `length` excludes the newline. */
const char *lines_next(const char **at, size_t *length);

/* Returns true if `list` contains the line of `size` bytes; with `last`, as its last line. */
bool lines_have(const char *list, const char *line, size_t size, bool last);

/* Appends the line and a newline, unless an earlier call has appended it to `list`. `seen` starts
 * zeroed and can serve several lists. Their structs keep their addresses, and lists only grow. */
void lines_add_new(struct map *seen, struct strbuf *list, const char *line, size_t size);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_FILENAME_H
#define SETTINGS_FILENAME_H

#include <stdint.h>

#include "base/strbuf.h"

/*
 * File name patterns: %d number, %p process id, %h host name, %r rank, %q{VAR} environment
 * variable, %% a percent sign. Any other % is kept as it is, and so is a %q without braces. The
 * pattern never reaches a format function. A rank or variable that is not set expands to nothing.
 * A host, rank or variable cannot steer the path: a slash in it, and a dot that a component would
 * start with, become "_".
 */
void filename_expand(struct strbuf *to, const char *pattern, uint32_t number, uint32_t pid);

/* Expands what is the same all through a process (%h, %r, %q{}) and keeps the rest a pattern. */
void filename_fix(struct strbuf *to, const char *pattern);

/* Whether `pattern` has the expansion `letter` ('d', 'p', ...). */
int filename_has(const char *pattern, char letter);

/* Appends `path` with ".<tag>" put in before the extension of its last component:
 * a/b.log + "1" is a/b.1.log, a.d/b + "1" is a.d/b.1, .log + "1" is .log.1. */
void filename_tag(struct strbuf *to, const char *path, const char *tag);

/* The MPI rank from the first of the known rank variables that is set, or NULL. */
const char *filename_rank(void);

#endif

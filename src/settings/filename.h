/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_FILENAME_H
#define SETTINGS_FILENAME_H

#include <stdint.h>

#include "base/strbuf.h"

/*
 * File name patterns: %d number, %p process id, %h host name, %r rank, %q{VAR} environment
 * variable, %% a percent sign. Any other % is kept, also a %q without braces. The pattern is never
 * used as a format string. An unset rank or variable expands to nothing. A host, rank or variable
 * cannot change the directory: slashes in it, and dots at the start of a component, become "_".
 */
void filename_expand(struct strbuf *to, const char *pattern, uint32_t number, uint32_t pid);

/* Expands the parts that are constant in a process (%h, %r, %q{}) and keeps the rest. */
void filename_fix(struct strbuf *to, const char *pattern);

/* Returns true if `pattern` has the expansion `letter` ('d', 'p', ...). */
int filename_has(const char *pattern, char letter);

/* Returns the first % of `pattern` that looks like a placeholder and is none, and the length of
 * that part: a letter or digit follows that is not of an expansion, or %q has no {NAME}. NULL if
 * there is none. */
const char *filename_mistake(const char *pattern, size_t *length);

/* Appends `path` with ".<tag>" inserted before the extension of its last component: a/b.log + "1"
 * is a/b.1.log, a.d/b + "1" is a.d/b.1, .log + "1" is .log.1. */
void filename_tag(struct strbuf *to, const char *path, const char *tag);

/* Returns the MPI rank from the first known rank variable that is set, or NULL. */
const char *filename_rank(void);

/* Returns the rank for names and messages for which the user has not requested it: that of
 * filename_rank if it is a number of at most 9 digits, or NULL. The number that Slurm sets for the
 * script of a batch job is not a rank. */
const char *filename_job_rank(void);

#endif

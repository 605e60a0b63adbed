/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_PATTERN_H
#define SETTINGS_PATTERN_H

#include <stdbool.h>

/*
 * Limits the cost of a regular expression. The C library expands repetitions when it compiles one,
 * so a{32767}{32767} and a row of plus signs use up all memory of the profiled program. If a part
 * that can match nothing is repeated without limit, as in (a??)+, glibc's time doubles with each
 * such part. Back references take unlimited time when a name is compared.
 */
enum { PATTERN_LIMIT = 1000 /* elements */ };

/* Returns true if an extended regular expression has at most PATTERN_LIMIT elements after
 * expansion, no back reference, and no +, * or {n,} after a part that can match nothing. The result
 * for an invalid expression is unspecified; regcomp rejects it. */
bool pattern_is_cheap(const char *pattern);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_PATTERN_H
#define SETTINGS_PATTERN_H

#include <stdbool.h>

/*
 * What a regular expression costs. The C library writes repetitions out when it compiles one, so
 * a{32767}{32767} and a row of plus signs take all memory there is, in a program that has only
 * asked to be profiled. What may match nothing and is repeated without end, as in (a??)+, takes
 * glibc a time that doubles with each way to match nothing; back references take time without end
 * when a name is compared.
 */
enum { PATTERN_LIMIT = 1000 /* elements */ };

/* Whether an extended regular expression has at most PATTERN_LIMIT elements with all repetitions
 * written out, no back reference, and no +, * or {n,} behind what may match nothing. One that is
 * none may be called cheap; it compiles to nothing. */
bool pattern_is_cheap(const char *pattern);

#endif

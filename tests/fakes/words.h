/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_WORDS_H
#define TESTS_FAKES_WORDS_H

#include <stdint.h>

/*
 * Scripts of fakes: an environment variable with words NAME or NAME=VALUE, separated by blanks; a
 * name alone means 1. A table of words ends with one without a name.
 */
struct word {
	const char *name;
	const char **text; /* one of the two */
	int64_t *number;
};

/* clang-format off */
#define TEXT(member) {.name = #member, .text = &script.member}
#define NUMBER(member) {.name = #member, .number = &script.member}
/* clang-format on */

/* Call once. Reports words that are not in the table. */
void words_read(const struct word *words, const char *variable);

/* Defined by each fake: reports misuse on stderr and ends the process with code 99. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

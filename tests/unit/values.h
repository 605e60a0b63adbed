/* SPDX-License-Identifier: MIT */
#ifndef TESTS_VALUES_H
#define TESTS_VALUES_H

#include <string.h>

#include "output/logreader.h"

/* Include after cmocka.h: checks texts that the log reader has read. */

static inline void assert_text(struct log_text text, const char *expected)
{
	if (text.length != strlen(expected) || memcmp(text.text, expected, text.length) != 0)
		fail_msg("'%.*s' instead of '%s'", (int)text.length, text.text, expected);
}

static inline void assert_value(const struct logreader *reader, const char *key,
				const char *expected)
{
	struct log_text value;

	if (!logreader_value(reader, key, &value))
		fail_msg("no %s", key);
	assert_text(value, expected);
}

#endif

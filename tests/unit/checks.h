/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_CHECKS_H
#define TESTS_UNIT_CHECKS_H

/* Include after cmocka.h. */
#include "rows.h"

/* Checks that the log has these rows, each once and in launch order. */
static inline void check(const char *path, int count, uint64_t limit)
{
	struct rows rows;

	assert_int_equal(read_rows(path, &rows, limit), 0);
	assert_true(rows.ordered);
	assert_int_equal(rows.count, count);
	assert_int_equal(wrong_counts(&rows, 0, (uint64_t)count), 0);
	free(rows.seen);
}

#endif

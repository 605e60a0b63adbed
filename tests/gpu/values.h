/* SPDX-License-Identifier: MIT */
#ifndef GPU_VALUES_H
#define GPU_VALUES_H

#include <stddef.h>

#include "linear.h"
#include "logtext.h"

/* One row against one expectation; the language of these is in rows.h. */
enum { VALUES_NAMES = 64 };

struct values {
	struct values_name {
		char name[32];
		char value[32];
	} names[VALUES_NAMES]; /* what @NAME has been so far */
	size_t name_count;
	struct linear linear;
	size_t calls;
	double earliest; /* the program's clock at the log's 0 is between these, in nanoseconds */
	double latest;
	double span; /* the largest time stamp */
};

void values_begin(struct values *values);

/* NULL, or what is wrong (in one buffer for all). `words` are the keys and values. */
const char *values_compare(struct values *values, const struct logtext *log, size_t row,
			   char *const *words);

/* The same for a row's device times, whatever was expected. */
const char *values_times(const struct logtext *log, size_t row);

/* 1 if no start of the log's clock fits all calls, else 0. */
size_t values_late(const struct values *values);

#endif

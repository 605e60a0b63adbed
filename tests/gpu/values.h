/* SPDX-License-Identifier: MIT */
#ifndef GPU_VALUES_H
#define GPU_VALUES_H

#include <stddef.h>

#include "linear.h"
#include "logtext.h"

/* Compares one row with one expectation, whose language is described in rows.h. */
enum { VALUES_NAMES = 64 };

struct values {
	struct values_name {
		char name[32];
		char value[32];
	} names[VALUES_NAMES]; /* values of @NAME so far */
	size_t name_count;
	struct linear linear;
	size_t calls;
	double earliest; /* the program's clock at time 0 of the log is between these, in
			  * nanoseconds */
	double latest;
	double span; /* the largest time stamp */
};

void values_begin(struct values *values);

/* Returns NULL, or the error (in a static buffer). `words` are the keys and values. */
const char *values_compare(struct values *values, const struct logtext *log, size_t row,
			   char *const *words);

/* As values_compare, for a row's device times, without an expectation. */
const char *values_times(const struct logtext *log, size_t row);

/* Returns 1 if no start of the log's clock fits all calls, else 0. */
size_t values_late(const struct values *values);

#endif

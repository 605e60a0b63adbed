/* SPDX-License-Identifier: MIT */
#ifndef MODEL_FORMULA_H
#define MODEL_FORMULA_H

#include <stddef.h>
#include <stdint.h>

/*
 * A counter made from others: names and numbers with + - * / and brackets, as in
 * "(one.sum + other.sum) * 32 / cycles". The names are those of events or metrics; what they are is
 * for a back end to know.
 */
enum { FORMULA_NAMES = 16, FORMULA_STEPS = 48 };

/* A piece of the text that was parsed: not terminated, alive as long as that. */
struct formula_name {
	const char *text;
	size_t length;
};

/* A calculator with a stack: what to push, or what to do with the two on top. */
struct formula_step {
	char kind; /* 'n' a name, '1' a number, or + - * / */
	uint8_t name;
	double number;
};

struct formula {
	unsigned name_count; /* different ones */
	unsigned step_count;
	struct formula_name names[FORMULA_NAMES];
	struct formula_step steps[FORMULA_STEPS];
};

/* NULL, or what is wrong with the text ("a bracket is not closed"). */
const char *formula_parse(struct formula *formula, const char *text, size_t length);

/* Its value when `values` has one for each name, in their order; not a number where it divides by
 * 0. */
double formula_value(const struct formula *formula, const double *values);

#endif

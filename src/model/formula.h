/* SPDX-License-Identifier: MIT */
#ifndef MODEL_FORMULA_H
#define MODEL_FORMULA_H

#include <stddef.h>
#include <stdint.h>

/*
 * A formula of counters: names and numbers with + - * / and brackets, as in "(one.sum + other.sum)
 * * 32 / cycles". The names are those of events or metrics, which the back end resolves.
 */
enum { FORMULA_NAMES = 16, FORMULA_STEPS = 48 };

/* A slice of the parsed text, not terminated; valid as long as the text. */
struct formula_name {
	const char *text;
	size_t length;
};

/* A step of a stack machine: a push, or an operation on the two top values. */
struct formula_step {
	char kind; /* 'n' a name, '1' a number, or + - * / */
	uint8_t name;
	double number;
};

struct formula {
	unsigned name_count; /* number of different names */
	unsigned step_count;
	struct formula_name names[FORMULA_NAMES];
	struct formula_step steps[FORMULA_STEPS];
};

/* Returns NULL, or the error in the text ("a bracket is not closed"). */
const char *formula_parse(struct formula *formula, const char *text, size_t length);

/* Returns its value; `values` has one value per name in their order. NAN after a division by 0. */
double formula_value(const struct formula *formula, const double *values);

#endif

/* SPDX-License-Identifier: MIT */
#include "model/formula.h"

#include <stdbool.h>
#include <string.h>

enum { DEPTH = 8 }; /* nesting of brackets; the stack is never higher than the steps */

struct parser {
	struct formula *formula;
	const char *at;
	const char *end;
	const char *wrong;
	unsigned depth;
};

static void sum(struct parser *parser);

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static bool is_letter(char byte)
{
	char small = (char)(byte | 0x20);

	return (small >= 'a' && small <= 'z') || byte == '_';
}

/* Returns the next byte after blanks; 0 at the end. */
static char peek(struct parser *parser)
{
	while (parser->at < parser->end && (*parser->at == ' ' || *parser->at == '\t'))
		parser->at++;
	return parser->at < parser->end ? *parser->at : '\0';
}

static void fail(struct parser *parser, const char *wrong)
{
	if (!parser->wrong)
		parser->wrong = wrong;
	parser->at = parser->end;
}

static void add_step(struct parser *parser, struct formula_step step)
{
	struct formula *formula = parser->formula;

	if (parser->wrong)
		return;
	if (formula->step_count == FORMULA_STEPS)
		fail(parser, "it has too many parts");
	else
		formula->steps[formula->step_count++] = step;
}

static void name(struct parser *parser)
{
	struct formula *formula = parser->formula;
	struct formula_name found = {.text = parser->at};
	unsigned index = 0;

	while (parser->at < parser->end &&
	       (is_letter(*parser->at) || is_digit(*parser->at) || *parser->at == '.'))
		parser->at++;
	found.length = (size_t)(parser->at - found.text);
	while (index < formula->name_count &&
	       (formula->names[index].length != found.length ||
		memcmp(formula->names[index].text, found.text, found.length)))
		index++;
	if (index == FORMULA_NAMES) {
		fail(parser, "it has too many parts");
		return;
	}
	if (index == formula->name_count)
		formula->names[formula->name_count++] = found;
	add_step(parser, (struct formula_step){.kind = 'n', .name = (uint8_t)index});
}

/* strtod is not used: the program may have set a locale with another decimal point. */
static void number(struct parser *parser)
{
	double value = 0, unit = 1;

	while (parser->at < parser->end && is_digit(*parser->at))
		value = value * 10 + (*parser->at++ - '0');
	if (parser->at < parser->end && *parser->at == '.') {
		parser->at++;
		while (parser->at < parser->end && is_digit(*parser->at))
			value += (*parser->at++ - '0') * (unit /= 10);
	}
	if (parser->at < parser->end && is_letter(*parser->at))
		fail(parser, "no name begins with a digit");
	add_step(parser, (struct formula_step){.kind = '1', .number = value});
}

static void bracket(struct parser *parser)
{
	parser->at++;
	if (++parser->depth > DEPTH)
		fail(parser, "it has too many brackets");
	else
		sum(parser);
	parser->depth--;
	if (peek(parser) == ')')
		parser->at++;
	else
		fail(parser, "a bracket is not closed");
}

static void operand(struct parser *parser)
{
	char next = peek(parser);

	if (next == '(')
		bracket(parser);
	else if (is_digit(next))
		number(parser);
	else if (is_letter(next))
		name(parser);
	else
		fail(parser, "a name or a number is missing");
}

static void product(struct parser *parser)
{
	char next;

	operand(parser);
	while ((next = peek(parser)) == '*' || next == '/') {
		parser->at++;
		operand(parser);
		add_step(parser, (struct formula_step){.kind = next});
	}
}

static void sum(struct parser *parser)
{
	char next;

	product(parser);
	while ((next = peek(parser)) == '+' || next == '-') {
		parser->at++;
		product(parser);
		add_step(parser, (struct formula_step){.kind = next});
	}
}

const char *formula_parse(struct formula *formula, const char *text, size_t length)
{
	struct parser parser = {.formula = formula, .at = text, .end = text + length};

	*formula = (struct formula){0};
	sum(&parser);
	if (!parser.wrong && peek(&parser) == ')')
		parser.wrong = "a bracket is closed that was not opened";
	else if (!parser.wrong && peek(&parser))
		parser.wrong = "between two names there must be one of + - * /";
	else if (!parser.wrong && !formula->name_count)
		parser.wrong = "it has no name in it";
	return parser.wrong;
}

double formula_value(const struct formula *formula, const double *values)
{
	double stack[FORMULA_STEPS];
	unsigned height = 0;

	for (unsigned i = 0; i < formula->step_count; i++) {
		const struct formula_step *step = &formula->steps[i];
		double right;

		if (step->kind == 'n' || step->kind == '1') {
			stack[height++] = step->kind == 'n' ? values[step->name] : step->number;
			continue;
		}
		right = stack[--height];
		if (step->kind == '+')
			stack[height - 1] += right;
		else if (step->kind == '-')
			stack[height - 1] -= right;
		else if (step->kind == '*')
			stack[height - 1] *= right;
		else
			stack[height - 1] = right != 0 ? stack[height - 1] / right
						       : __builtin_nan("");
	}
	return height ? stack[0] : __builtin_nan("");
}

/* SPDX-License-Identifier: MIT */
/* Integer constant expressions of directives (C99 6.10.1). */
#include "rewrite/condition.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct value {
	uint64_t bits;
	bool is_unsigned;
};

struct parser {
	struct macros *macros;
	const struct token *at;
	bool failed;
	unsigned depth;
};

enum { DEPTH = 1000 }; /* of parentheses and operators */

static const struct {
	const char *text;
	unsigned level; /* the higher, the stronger it binds */
} operators[] = {
	{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
	{"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
	{">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10},
};

static struct value parse(struct parser *parser, unsigned level);

static bool accept(struct parser *parser, const char *text)
{
	if (!token_is(parser->at, text))
		return false;
	parser->at = parser->at->next;
	return true;
}

static struct value of(uint64_t bits, bool is_unsigned)
{
	return (struct value){.bits = bits, .is_unsigned = is_unsigned};
}

static struct value read_number(struct parser *parser, const struct token *token)
{
	char text[32], *end;
	uint64_t bits;

	if (token->length >= sizeof(text)) {
		parser->failed = true;
		return of(0, false);
	}
	memcpy(text, token->text, token->length);
	text[token->length] = 0;
	bits = strtoull(text, &end, 0);
	if (strspn(end, "uUlL") != strlen(end))
		parser->failed = true;
	return of(bits, strpbrk(end, "uU") || bits > INT64_MAX);
}

/* Only constants of one plain character. */
static struct value read_character(struct parser *parser, const struct token *token)
{
	if (token->length != 3 || *token->text != '\'' || token->text[1] == '\\')
		parser->failed = true;
	return of(parser->failed ? 0 : (uint64_t)(signed char)token->text[1], false);
}

static struct value parse_primary(struct parser *parser)
{
	const struct token *token = parser->at;
	struct value value;

	if (accept(parser, "(")) {
		value = parse(parser, 0);
		parser->failed |= !accept(parser, ")");
		return value;
	}
	if (token->kind == TOKEN_END || token->kind == TOKEN_OTHER) {
		parser->failed = true;
		return of(0, false);
	}
	parser->at = token->next;
	if (token->kind == TOKEN_NUMBER)
		return read_number(parser, token);
	if (token->kind == TOKEN_STRING)
		return read_character(parser, token);
	macro_ask(parser->macros, token);
	return of(0, false);
}

static struct value parse_unary(struct parser *parser)
{
	struct value value;

	if (++parser->depth > DEPTH) {
		parser->failed = true;
		return of(0, false);
	}
	if (accept(parser, "!")) {
		value = of(!parse_unary(parser).bits, false);
	} else if (accept(parser, "-")) {
		value = parse_unary(parser);
		value.bits = -value.bits;
	} else if (accept(parser, "~")) {
		value = parse_unary(parser);
		value.bits = ~value.bits;
	} else if (accept(parser, "+")) {
		value = parse_unary(parser);
	} else {
		value = parse_primary(parser);
	}
	parser->depth--;
	return value;
}

/* Division by 0 is an error only in a branch that is evaluated; here its result is 0. */
static uint64_t divide(struct value a, struct value b, bool rest)
{
	int64_t left = (int64_t)a.bits, right = (int64_t)b.bits;

	if (!b.bits)
		return 0;
	if (a.is_unsigned || b.is_unsigned)
		return rest ? a.bits % b.bits : a.bits / b.bits;
	if (right == -1)
		return rest ? 0 : -a.bits;
	return (uint64_t)(rest ? left % right : left / right);
}

static bool less(struct value a, struct value b)
{
	return a.is_unsigned || b.is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

static struct value shift(struct value a, struct value b, bool left)
{
	unsigned by = b.bits & 63;

	if (left)
		return of(a.bits << by, a.is_unsigned);
	return of(a.is_unsigned ? a.bits >> by : (uint64_t)((int64_t)a.bits >> by), a.is_unsigned);
}

static struct value compare(const char *sign, struct value a, struct value b)
{
	bool equal = sign[1] == '=';

	if (*sign == '=')
		return of(a.bits == b.bits, false);
	if (*sign == '!')
		return of(a.bits != b.bits, false);
	return of(*sign == '<' ? equal ? !less(b, a) : less(a, b)
		  : equal ? !less(a, b)
			       : less(b, a),
		  false);
}

static struct value apply(const char *sign, struct value a, struct value b)
{
	bool is_unsigned = a.is_unsigned || b.is_unsigned;

	if (!strcmp(sign, "||") || !strcmp(sign, "&&"))
		return of(*sign == '|' ? a.bits || b.bits : a.bits && b.bits, false);
	if (!strcmp(sign, "<<") || !strcmp(sign, ">>"))
		return shift(a, b, *sign == '<');
	switch (*sign) {
	case '|':
		return of(a.bits | b.bits, is_unsigned);
	case '^':
		return of(a.bits ^ b.bits, is_unsigned);
	case '&':
		return of(a.bits & b.bits, is_unsigned);
	case '+':
		return of(a.bits + b.bits, is_unsigned);
	case '-':
		return of(a.bits - b.bits, is_unsigned);
	case '*':
		return of(a.bits * b.bits, is_unsigned);
	case '/':
	case '%':
		return of(divide(a, b, *sign == '%'), is_unsigned);
	default:
		return compare(sign, a, b);
	}
}

static size_t find_operator(const struct token *token)
{
	size_t i = 0;

	while (i < sizeof(operators) / sizeof(operators[0]) && !token_is(token, operators[i].text))
		i++;
	return i;
}

static struct value parse_operators(struct parser *parser, unsigned level)
{
	struct value value = parse_unary(parser);
	size_t i = find_operator(parser->at);

	while (i < sizeof(operators) / sizeof(operators[0]) && operators[i].level > level) {
		parser->at = parser->at->next;
		value = apply(operators[i].text, value, parse(parser, operators[i].level));
		i = find_operator(parser->at);
	}
	return value;
}

/* Level 0 includes the conditional operator. */
static struct value parse(struct parser *parser, unsigned level)
{
	struct value value, yes, no;

	if (++parser->depth > DEPTH) {
		parser->failed = true;
		return of(0, false);
	}
	value = parse_operators(parser, level);
	if (!level && accept(parser, "?")) {
		yes = parse(parser, 0);
		parser->failed |= !accept(parser, ":");
		no = parse(parser, 0);
		value = value.bits ? yes : no;
	}
	parser->depth--;
	return value;
}

/* Returns a copy in which each "defined NAME" is 0 or 1. */
static struct token *replace_defined(struct macros *macros, const struct token *token)
{
	struct token *first = NULL, **end = &first;
	const struct token *name;
	bool parenthesis;

	for (; token->kind != TOKEN_END; token = token->next) {
		*end = token_copy(macros->arena, token);
		if (token_is(token, "defined")) {
			parenthesis = token_is(token->next, "(");
			name = parenthesis ? token->next->next : token->next;
			if (name->kind != TOKEN_WORD || (parenthesis && !token_is(name->next, ")")))
				return NULL;
			(*end)->kind = TOKEN_NUMBER;
			(*end)->text = macro_ask(macros, name) ? "1" : "0";
			(*end)->length = 1;
			token = parenthesis ? name->next : name;
		}
		end = &(*end)->next;
	}
	*end = token_copy(macros->arena, token);
	return first;
}

int condition_evaluate(struct macros *macros, const struct token *tokens, bool *result)
{
	struct parser parser = {.macros = macros};
	struct token *list = replace_defined(macros, tokens);

	if (!list)
		return -1;
	for (const struct token *token = list; token->kind != TOKEN_END; token = token->next)
		if (macro_find(macros, token))
			macro_ask(macros, token);
	parser.at = macro_expand_list(macros, list, true);
	*result = parse(&parser, 0).bits;
	return parser.failed || macros->error || parser.at->kind != TOKEN_END ? -1 : 0;
}

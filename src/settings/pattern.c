/* SPDX-License-Identifier: MIT */
#include "settings/pattern.h"

#include <stdint.h>
#include <string.h>

enum { DEPTH = 128, TOO_MUCH = PATTERN_LIMIT + 1, DIGITS = 5 /* most digits of a count */ };

/* The state of each open group: its number of elements, and the number in the last atom, which a
 * repetition repeats. Also whether an empty match is possible: for the last atom, for the part
 * before it, and for one of the finished alternatives. */
struct cost {
	struct {
		uint32_t sum, last;
		bool last_empty, before_empty, empty;
	} groups[DEPTH];
	unsigned depth;
	bool endless; /* a part that can match nothing is repeated without limit */
};

static uint32_t bounded(uint64_t count)
{
	return count < TOO_MUCH ? (uint32_t)count : TOO_MUCH;
}

static void count(struct cost *cost, uint32_t elements)
{
	cost->groups[cost->depth].sum = bounded((uint64_t)cost->groups[cost->depth].sum + elements);
}

static void begin(struct cost *cost)
{
	memset(&cost->groups[cost->depth], 0, sizeof(cost->groups[0]));
	cost->groups[cost->depth].last_empty = cost->groups[cost->depth].before_empty = true;
}

static void add(struct cost *cost, uint32_t atom, bool empty)
{
	count(cost, atom);
	cost->groups[cost->depth].last = atom;
	cost->groups[cost->depth].before_empty &= cost->groups[cost->depth].last_empty;
	cost->groups[cost->depth].last_empty = empty;
}

/* Accounts for the last atom repeated `times` times, of which `least` are required. */
static void repeat(struct cost *cost, uint32_t times, uint32_t least, bool endless)
{
	uint32_t last = cost->groups[cost->depth].last;

	cost->endless |= endless && cost->groups[cost->depth].last_empty;
	cost->groups[cost->depth].last_empty |= !least;
	if (times < 2)
		return;
	count(cost, bounded((uint64_t)last * (times - 1)));
	cost->groups[cost->depth].last = bounded((uint64_t)last * times);
}

/* Accounts for a ?, * or +; a+ is expanded to aa*. */
static void repeat_by(struct cost *cost, char byte)
{
	repeat(cost, byte == '+' ? 2 : 1, byte == '+', byte != '?');
}

static bool is_empty(const struct cost *cost)
{
	return cost->groups[cost->depth].before_empty && cost->groups[cost->depth].last_empty;
}

static void begin_alternative(struct cost *cost)
{
	cost->groups[cost->depth].empty |= is_empty(cost);
	cost->groups[cost->depth].last_empty = cost->groups[cost->depth].before_empty = true;
}

/* Skips a bracket expression after its [. A ] at its start, a backslash and the brackets of
 * [:alpha:] [=a=] [.a.] do not end it. */
static const char *skip_set(const char *at)
{
	at += *at == '^';
	at += *at == ']';
	while (*at && *at != ']') {
		if (*at == '[' && at[1] && strchr(":=.", at[1])) {
			const char end[] = {at[1], ']', '\0'};

			at = strstr(at + 2, end);
			if (!at)
				return "";
			at++;
		}
		at++;
	}
	return at + (*at == ']');
}

/* Accounts for an interval after its { and returns the rest. */
static const char *take_interval(struct cost *cost, const char *at)
{
	uint32_t most = 0, least = 0, number = 0;
	bool comma = false, endless = false;
	unsigned digits = 0;

	for (; *at && *at != '}'; at++) {
		if (*at >= '0' && *at <= '9') {
			number = digits++ < DIGITS ? number * 10 + (uint32_t)(*at - '0') : TOO_MUCH;
			most = number > most ? number : most;
			least = comma ? least : number;
			continue;
		}
		comma = true;
		/* a{2,} is expanded to aaa* */
		endless = at[1] == '}';
		most += endless;
		number = digits = 0;
	}
	repeat(cost, most, least, endless);
	return at + (*at == '}');
}

static void close_group(struct cost *cost)
{
	uint32_t inside = cost->groups[cost->depth].sum;
	bool empty = cost->groups[cost->depth].empty || is_empty(cost);

	cost->depth--;
	add(cost, bounded((uint64_t)inside + 1), empty);
}

/* Returns true for an assertion, which matches no byte. */
static bool is_place(char byte, char next)
{
	return byte == '^' || byte == '$' || (byte == '\\' && next && strchr("<>bB`'", next));
}

/* Accounts for one element, which starts with `byte`; false if it is nested too deeply or is a back
 * reference. */
static bool take(struct cost *cost, char byte, const char **rest)
{
	if (byte == '\\' && **rest >= '1' && **rest <= '9')
		return false;
	if (byte == '(') {
		if (++cost->depth == DEPTH)
			return false;
		begin(cost);
	} else if (byte == ')' && cost->depth) {
		close_group(cost);
	} else if (strchr("?*+", byte)) {
		repeat_by(cost, byte);
	} else if (byte == '{') {
		*rest = take_interval(cost, *rest);
	} else if (byte == '|') {
		begin_alternative(cost);
	} else {
		add(cost, 1, is_place(byte, **rest));
	}
	if (byte == '[')
		*rest = skip_set(*rest);
	*rest += byte == '\\' && **rest;
	return true;
}

bool pattern_is_cheap(const char *pattern)
{
	struct cost cost = {0};

	begin(&cost);
	while (*pattern) {
		char byte = *pattern++;

		if (!take(&cost, byte, &pattern))
			return false;
	}
	while (cost.depth)
		close_group(&cost);
	return !cost.endless && cost.groups[0].sum <= PATTERN_LIMIT;
}

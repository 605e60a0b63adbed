/* SPDX-License-Identifier: MIT */
#include "settings/pattern.h"

#include <stdint.h>
#include <string.h>

enum { DEPTH = 128, TOO_MUCH = PATTERN_LIMIT + 1, DIGITS = 5 /* no count of regcomp has more */ };

/* Of each open group: the elements so far, and how many of them the last atom is, which is what a
 * repetition repeats; and what may match nothing: that atom, what stands before it, and one of the
 * alternatives that are over. */
struct cost {
	struct {
		uint32_t sum, last;
		bool last_empty, before_empty, empty;
	} groups[DEPTH];
	unsigned depth;
	bool endless; /* what may match nothing is repeated without end */
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

/* The last atom, written out so many times; `least` of them must be there. */
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

/* By a ?, * or +; a+ is written out as aa*. */
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

/* Behind a bracket expression's [. In it a ] that comes first, a backslash and the brackets of
 * [:alpha:] [=a=] [.a.] end nothing. */
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

/* Behind the { of an interval: what it has to be written out as, and what follows it. */
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
		/* a{2,} is aaa* */
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

/* What stands at a place and takes no byte. */
static bool is_place(char byte, char next)
{
	return byte == '^' || byte == '$' || (byte == '\\' && next && strchr("<>bB`'", next));
}

/* One element, which begins with `byte`; false if it is too deep or refers back. */
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

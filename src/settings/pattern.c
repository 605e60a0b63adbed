/* SPDX-License-Identifier: MIT */
#include "settings/pattern.h"

#include <stdint.h>
#include <string.h>

enum { DEPTH = 128, TOO_MUCH = PATTERN_LIMIT + 1, DIGITS = 5 /* no count of regcomp has more */ };

/* Of each open group: the elements so far, and how many of them the last atom is, which is what a
 * repetition repeats. */
struct cost {
	struct {
		uint32_t sum, last;
	} groups[DEPTH];
	unsigned depth;
};

static uint32_t bounded(uint64_t count)
{
	return count < TOO_MUCH ? (uint32_t)count : TOO_MUCH;
}

static void add(struct cost *cost, uint32_t atom)
{
	cost->groups[cost->depth].sum = bounded((uint64_t)cost->groups[cost->depth].sum + atom);
	cost->groups[cost->depth].last = atom;
}

static void repeat(struct cost *cost, uint32_t times)
{
	uint32_t last = cost->groups[cost->depth].last;

	if (times < 2)
		return;
	add(cost, bounded((uint64_t)last * (times - 1)));
	cost->groups[cost->depth].last = bounded((uint64_t)last * times);
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
	uint32_t most = 0, count = 0;
	unsigned digits = 0;

	for (; *at && *at != '}'; at++) {
		if (*at >= '0' && *at <= '9') {
			count = digits++ < DIGITS ? count * 10 + (uint32_t)(*at - '0') : TOO_MUCH;
			most = count > most ? count : most;
			continue;
		}
		/* a{2,} is aaa* */
		if (*at == ',' && at[1] == '}')
			most++;
		count = digits = 0;
	}
	repeat(cost, most);
	return at + (*at == '}');
}

static void close_group(struct cost *cost)
{
	uint32_t inside = cost->groups[cost->depth--].sum;

	add(cost, bounded((uint64_t)inside + 1));
}

bool pattern_is_cheap(const char *pattern)
{
	struct cost cost = {0};

	while (*pattern) {
		char byte = *pattern++;

		if (byte == '\\' && *pattern >= '1' && *pattern <= '9')
			return false;
		if (byte == '(' && ++cost.depth < DEPTH)
			cost.groups[cost.depth].sum = cost.groups[cost.depth].last = 0;
		else if (byte == '(')
			return false;
		else if (byte == ')' && cost.depth)
			close_group(&cost);
		else if (byte == '+')
			repeat(&cost, 2); /* a+ is aa* */
		else if (byte == '{')
			pattern = take_interval(&cost, pattern);
		else if (!strchr("*?|", byte))
			add(&cost, 1);
		if (byte == '[')
			pattern = skip_set(pattern);
		if (byte == '\\' && *pattern)
			pattern++;
	}
	while (cost.depth)
		close_group(&cost);
	return cost.groups[0].sum <= PATTERN_LIMIT;
}

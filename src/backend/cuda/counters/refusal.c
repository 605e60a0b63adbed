/* SPDX-License-Identifier: MIT */
#include "backend/cuda/counters/refusal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "model/frames.h"

enum { NAMES_SIZE = 400, SENTENCE_SIZE = 900, SENTENCES = 256 };

/* Equal sentences for several devices or plans are printed once. */
static bool is_news(const char *sentence)
{
	static uint64_t said[SENTENCES];
	static unsigned count;
	uint64_t hash = frames_hash(sentence, strlen(sentence));

	for (unsigned i = 0; i < count && i < SENTENCES; i++)
		if (said[i] == hash)
			return false;
	said[count++ % SENTENCES] = hash;
	return true;
}

static bool is_same(const char *left, const char *right)
{
	return left && right && !strcmp(left, right);
}

/* Writes for example "one, two, three and 12 more". */
static unsigned name_all(char *names, const struct counter_choices *choices,
			 const char *const *reasons, const char *reason)
{
	size_t length = 0;
	unsigned count = 0, named = 0;

	*names = '\0';
	for (unsigned i = 0; i < choices->count; i++) {
		const char *name = choices->items[i].name;

		if (!is_same(reasons[i], reason))
			continue;
		count++;
		if (named + 1 != count || length + strlen(name) + 2 > NAMES_SIZE)
			continue;
		length += (size_t)snprintf(names + length, NAMES_SIZE - length, "%s%s",
					   named ? ", " : "", name);
		named++;
	}
	if (named < count)
		snprintf(names + length, 32, " and %u more", count - named);
	return count;
}

static void say_reason(const struct counter_choices *choices, const char *const *reasons,
		       const char *reason, unsigned capability)
{
	char names[NAMES_SIZE + 32], sentence[SENTENCE_SIZE];
	unsigned count = name_all(names, choices, reasons, reason);

	snprintf(sentence, sizeof(sentence),
		 "counter%s not in the log (compute capability %u.%u): %s: %s",
		 count == 1 ? "" : "s", capability / 10, capability % 10, names, reason);
	if (is_news(sentence))
		say("%s", sentence);
}

void refusal_say(const struct counter_choices *choices, const char *const *reasons,
		 unsigned capability)
{
	for (unsigned i = 0; i < choices->count; i++) {
		bool first = reasons[i] != NULL;

		for (unsigned k = 0; first && k < i; k++)
			first = !is_same(reasons[i], reasons[k]);
		if (first)
			say_reason(choices, reasons, reasons[i], capability);
	}
}

void refusal_list(struct strbuf *names, const struct counter_choice *choice)
{
	strbuf_string(names, choice->name);
	strbuf_char(names, '\n');
}

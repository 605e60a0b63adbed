/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FLOW_SCRIPT_H
#define TESTS_FLOW_SCRIPT_H

#include "advise_script.h"

/* Frames of the data flow and of values, written by hand. Tests set the two counters to 0. */
static uint64_t script_uses;	/* counts those by part() */
static uint64_t script_values;	/* counts patterns and their values */
static uint64_t script_entered; /* time of the call of the last use */

/* The last command uses a part of an object, or all of it; `changes` may follow. */
static inline struct use *part(uint64_t address, uint16_t access, uint32_t argument, uint16_t flags)
{
	struct use *use = uses(address, access);

	use->frame.correlation = EVENT_NUMBERS | ++script_uses;
	use->frame.flags = flags;
	use->bytes = 0;
	use->argument = argument;
	script_entered = use->enter;
	return use;
}

/* What the last use has changed. */
static inline struct change *changes(uint64_t same, uint64_t changed)
{
	struct change *change = &script_add(sizeof(*change), FRAME_CHANGE)->event.change;

	change->enter = script_entered;
	change->use = EVENT_NUMBERS | script_uses;
	change->same = same;
	change->changed = changed;
	change->same_words = (uint32_t)(same / 4);
	return change;
}

/* The patterns of what the last use has. */
static inline struct pattern *has(uint16_t kinds, uint16_t flags, uint64_t elements)
{
	struct pattern *pattern = &script_add(sizeof(*pattern), FRAME_PATTERN)->event.pattern;

	pattern->frame.correlation = EVENT_NUMBERS | (1000 + ++script_values);
	pattern->frame.flags = flags;
	pattern->enter = script_entered;
	pattern->use = EVENT_NUMBERS | script_uses;
	pattern->kinds = kinds;
	pattern->type = ELEMENT_INT32;
	pattern->width = 1;
	pattern->elements = elements;
	pattern->distinct = 1;
	return pattern;
}

static inline void with(enum pattern_value_kind kind, uint64_t value, uint64_t count)
{
	struct pattern_value *with = &script_add(sizeof(*with), FRAME_VALUE)->event.pattern_value;

	with->frame.correlation = EVENT_NUMBERS | (1000 + ++script_values);
	with->enter = script_entered;
	with->use = EVENT_NUMBERS | script_uses;
	with->kind = (uint16_t)kind;
	with->value = value;
	with->count = count;
}

#endif

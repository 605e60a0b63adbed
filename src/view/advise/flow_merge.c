/* SPDX-License-Identifier: MIT */
#include "view/advise/flow_merge.h"

#include <string.h>

#include "model/element.h"

enum { SHARE = 10 /* few different values are at most this part of the elements */ };

static void begin_values(struct flow_values *values, uint32_t distinct, bool has_more,
			 uint64_t elements)
{
	values->least_distinct = distinct;
	values->all_have_more = has_more;
	values->are_few = !has_more && distinct <= elements / SHARE;
}

static void begin(struct flow_pattern *one, const struct flow_pattern *found,
		  const struct pattern *pattern)
{
	unsigned flags = pattern->frame.flags;

	*one = *found;
	one->key.kinds = pattern->kinds;
	one->key.rounded_kinds = pattern->rounded_kinds;
	one->key.type = pattern->type < ELEMENT_TYPES ? pattern->type : ELEMENT_UNKNOWN;
	one->key.width = pattern->width;
	one->key.level = pattern->level;
	one->key.flags = flags & (PATTERN_BEFORE | PATTERN_ASSUMED);
	one->pattern = *pattern;
	one->least_elements = pattern->elements;
	begin_values(&one->exact, pattern->distinct, flags & PATTERN_MANY, pattern->elements);
	begin_values(&one->rounded, pattern->rounded_distinct, flags & PATTERN_MANY_ROUNDED,
		     pattern->elements);
}

static double double_of(uint64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static void put_value(struct flow_values *to, const struct pattern_value *value, uint64_t elements)
{
	if (to->count == FLOW_TOP)
		return;
	/* Counts of damaged files may be larger. */
	if (!to->count && elements && value->count <= elements)
		to->share = to->least_share = (double)value->count / (double)elements;
	to->list[to->count++] = (struct flow_value){value->value, value->count, value->count};
}

static void add_value(struct flow_pattern *one, const struct pattern_value *value)
{
	if (value->kind == PATTERN_VALUE_TOP) {
		put_value(&one->exact, value, one->pattern.elements);
	} else if (value->kind == PATTERN_VALUE_ROUNDED) {
		put_value(&one->rounded, value, one->pattern.elements);
	} else if (value->kind == PATTERN_VALUE_LINE) {
		one->slope = double_of(value->value);
		one->start = double_of(value->count);
		one->error = double_of(value->error);
	}
}

#define RAISE(to, number) ((to) = (to) < (number) ? (number) : (to))
#define LOWER(to, number) ((to) = (to) > (number) ? (number) : (to))

static void merge_values(struct flow_values *to, const struct flow_values *from)
{
	uint32_t same = 0;

	LOWER(to->least_distinct, from->least_distinct);
	to->all_have_more &= from->all_have_more;
	to->are_few &= from->are_few;
	RAISE(to->share, from->share);
	LOWER(to->least_share, from->least_share);
	while (same < to->count && same < from->count &&
	       to->list[same].value == from->list[same].value) {
		RAISE(to->list[same].count, from->list[same].count);
		LOWER(to->list[same].least_count, from->list[same].least_count);
		same++;
	}
	to->differ |= same < to->count || same < from->count;
	to->count = same;
}

static void merge_pattern(struct pattern *to, const struct pattern *from)
{
	to->frame.flags |= from->frame.flags;
	RAISE(to->elements, from->elements);
	RAISE(to->distinct, from->distinct);
	RAISE(to->rounded_distinct, from->rounded_distinct);
	RAISE(to->narrow_signed, from->narrow_signed);
	RAISE(to->narrow_unsigned, from->narrow_unsigned);
	RAISE(to->narrow_tail, from->narrow_tail);
	RAISE(to->narrow_rounded, from->narrow_rounded);
}

static void merge(struct flow_pattern *to, const struct flow_pattern *from)
{
	to->versions += from->versions;
	to->bytes += from->bytes;
	merge_pattern(&to->pattern, &from->pattern);
	LOWER(to->least_elements, from->least_elements);
	merge_values(&to->exact, &from->exact);
	merge_values(&to->rounded, &from->rounded);
	to->lines_differ |= memcmp(&to->slope, &from->slope, sizeof(to->slope)) ||
			    memcmp(&to->start, &from->start, sizeof(to->start));
	RAISE(to->error, from->error);
}

static int add(struct keyed *patterns, const struct flow_pattern *one)
{
	uint32_t index = keyed_get(patterns, &one->key);
	struct flow_pattern *entry;

	if (index == KEYED_FULL)
		return -1;
	entry = keyed_at(patterns, index);
	if (entry->versions)
		merge(entry, one);
	else
		*entry = *one;
	return 0;
}

int flow_add_patterns(struct keyed *patterns, const struct flow_pattern *found,
		      const union event *events, size_t count)
{
	struct flow_pattern one;
	bool has_one = false;

	for (size_t i = 0; i < count; i++) {
		if (events[i].frame.kind == FRAME_PATTERN) {
			if (has_one && add(patterns, &one))
				return -1;
			begin(&one, found, &events[i].pattern);
			has_one = true;
		} else if (has_one) {
			add_value(&one, &events[i].pattern_value);
		}
	}
	return has_one ? add(patterns, &one) : 0;
}

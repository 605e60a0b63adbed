/* SPDX-License-Identifier: MIT */
/* The patterns of values in the text of GVProf's value_pattern, misspelled words included
 * (https://github.com/GVProf/redshow, src/analysis/value_pattern.cpp). What needs the accesses is
 * unknown here. */
#include "model/element.h"
#include "view/advise/flow_patterns.h"

/* One of the two blocks of a pattern. */
struct block {
	unsigned kinds;
	uint32_t distinct;
	bool has_more;
	uint8_t narrow_signed, narrow_unsigned, narrow_tail;
	const struct flow_values *values;
};

static const char differs[] = "differs"; /* from contents to contents */

static void put_kind_of(struct strbuf *to, const struct flow_pattern *pattern, bool is_float,
			unsigned bits)
{
	strbuf_printf(to, "%s,v:%u,u:%u", is_float ? "FLOAT" : "INTEGER", bits * pattern->key.width,
		      bits);
}

static void put_arrow(struct strbuf *to, const struct flow_pattern *pattern, const char *how,
		      unsigned bits, bool is_float)
{
	unsigned own = 8 * element_size(pattern->key.type);

	if (bits >= own && !*how) /* another type of the same size */
		bits = own;
	else if (bits >= own)
		return;
	strbuf_string(to, how);
	put_kind_of(to, pattern, element_is_float(pattern->key.type), own);
	strbuf_string(to, " --> ");
	put_kind_of(to, pattern, is_float, bits);
	if (*how)
		strbuf_char(to, '\t');
}

static void put_narrow(struct strbuf *to, const struct flow_pattern *pattern,
		       const struct block *block)
{
	bool is_float = element_is_float(pattern->key.type);
	unsigned own = 8 * element_size(pattern->key.type);

	strbuf_string(to, " * Type Overuse\t");
	if (block->narrow_signed >= own &&
	    (is_float || (block->narrow_unsigned >= own && block->narrow_tail >= own)))
		strbuf_string(to, differs);
	put_arrow(to, pattern, "signed: ", block->narrow_signed, is_float);
	if (!is_float) {
		put_arrow(to, pattern, "unsigned: ", block->narrow_unsigned, false);
		put_arrow(to, pattern, "cased by tail zeros: ", block->narrow_tail, false);
	}
	strbuf_char(to, '\n');
}

/* In GVProf's order. */
static void put_kinds(struct strbuf *to, const struct flow_pattern *pattern,
		      const struct block *block)
{
	if (block->kinds & PATTERN_LINEAR && pattern->lines_differ)
		strbuf_printf(to, " * Structured\t%s\n", differs);
	else if (block->kinds & PATTERN_LINEAR)
		strbuf_printf(to, " * Structured\ty = %gx + %g mse: %g\n", pattern->slope,
			      pattern->start, pattern->error);
	if (block->kinds & PATTERN_INTEGERS) {
		strbuf_string(to, " * Inappropriate Float Type\t");
		put_arrow(to, pattern, "", 8 * element_size(pattern->key.type), false);
		strbuf_char(to, '\n');
	}
	if (block->kinds & PATTERN_NARROW)
		put_narrow(to, pattern, block);
	if (block->kinds & PATTERN_ZEROS)
		strbuf_string(to, " * Redundant Zeros\t\n");
	if (block->kinds & PATTERN_SINGLE)
		strbuf_string(to, " * Single Value\t\n");
	if (block->kinds & PATTERN_FREQUENT)
		strbuf_string(to, " * Dense Value\t\n");
	if (!block->kinds)
		strbuf_string(to, " * No Pattern\t\n");
}

static void put_values(struct strbuf *to, uint8_t type, const struct flow_values *values)
{
	if (values->count || values->differ)
		strbuf_string(to, "TOP unqiue value\tcount\n");
	for (uint32_t i = 0; i < values->count; i++) {
		flow_put_value(to, type, values->list[i].value);
		strbuf_char(to, '\t');
		flow_put_range(to, values->list[i].least_count, values->list[i].count);
		strbuf_char(to, '\n');
	}
	if (values->differ)
		strbuf_printf(to, "%s\t%s\n", differs, differs);
	strbuf_char(to, '\n');
}

static void put_block(struct strbuf *to, const struct flow_pattern *pattern, uint64_t bytes,
		      const struct block *block)
{
	strbuf_printf(to, "array id: %u, memory size %llu, value type ", pattern->object,
		      (unsigned long long)bytes);
	put_kind_of(to, pattern, element_is_float(pattern->key.type),
		    8 * element_size(pattern->key.type));
	strbuf_printf(to, " Unknown (%s)\n",
		      pattern->key.flags & PATTERN_BEFORE ? "before" : "after");
	strbuf_string(to, "total access count: unknown\nunique item count: ");
	flow_put_range(to, pattern->least_elements, pattern->pattern.elements);
	strbuf_string(to, "\nunqiue item value count: ");
	flow_put_distinct(to, block->values, block->distinct, block->has_more, "more than ");
	strbuf_string(to, "\nunqiue item access count: unknown\npattern type:\n");
	put_kinds(to, pattern, block);
	put_values(to, pattern->key.type, block->values);
}

static void put_pattern(struct strbuf *to, const struct flow_pattern *pattern, uint64_t bytes)
{
	const struct pattern *found = &pattern->pattern;
	const struct block exact = {
		.kinds = pattern->key.kinds,
		.distinct = found->distinct,
		.has_more = found->frame.flags & PATTERN_MANY,
		.narrow_signed = found->narrow_signed,
		.narrow_unsigned = found->narrow_unsigned,
		.narrow_tail = found->narrow_tail,
		.values = &pattern->exact,
	};
	const struct block rounded = {
		.kinds = pattern->key.rounded_kinds,
		.distinct = found->rounded_distinct,
		.has_more = found->frame.flags & PATTERN_MANY_ROUNDED,
		.narrow_signed = found->narrow_rounded,
		.values = &pattern->rounded,
	};

	put_block(to, pattern, bytes, &exact);
	if (!flow_approximate(pattern))
		return;
	strbuf_string(to, "====  approximate ====\n");
	put_block(to, pattern, bytes, &rounded);
}

/* Returns true if a pattern is of this node. */
static bool has_patterns(const struct flow *flow, uint32_t node)
{
	for (uint32_t i = 0; i < flow->patterns.count; i++)
		if (flow_pattern(flow, i)->key.node == node)
			return true;
	return false;
}

void flow_put_patterns_text(struct strbuf *to, const struct advice *advice)
{
	const struct flow *flow = &advice->flow;

	for (uint32_t node = 0; node < flow->nodes.count; node++) {
		if (!has_patterns(flow, node))
			continue;
		strbuf_printf(to, "kernel id: %u\n", node);
		for (uint32_t i = 0; i < flow->patterns.count; i++) {
			const struct flow_pattern *pattern = flow_pattern(flow, i);

			if (pattern->key.node == node)
				put_pattern(to, pattern,
					    advice_object(advice, pattern->object - 1)->bytes);
		}
	}
}

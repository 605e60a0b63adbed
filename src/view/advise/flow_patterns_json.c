/* SPDX-License-Identifier: MIT */
/* The patterns of values as JSON: doc/FORMAT, section 18. */
#include <math.h>

#include "model/element.h"
#include "output/jsontext.h"
#include "view/advise/flow_patterns.h"

static const char *const words[] = {"zeros",  "single_value", "frequent_value",
				    "narrow", "integers",     "linear"};

/* JSON has no infinite numbers. */
static void put_real(struct strbuf *to, double number)
{
	if (isfinite(number))
		flow_put_real(to, number);
	else
		strbuf_string(to, "null");
}

static void put_kinds(struct strbuf *to, unsigned kinds)
{
	const char *between = "";

	strbuf_string(to, ", \"patterns\": [");
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(kinds & 1u << i))
			continue;
		strbuf_printf(to, "%s\"%s\"", between, words[i]);
		between = ", ";
	}
	strbuf_char(to, ']');
}

static void put_value(struct strbuf *to, uint8_t type, const struct flow_value *value)
{
	strbuf_string(to, "{\"value\": ");
	if (element_is_float(type) && !isfinite(element_number(type, value->value)))
		strbuf_string(to, "null");
	else
		flow_put_value(to, type, value->value);
	strbuf_string(to, ", \"bits\": \"");
	json_hex(to, value->value);
	strbuf_char(to, '"');
	json_add_number(to, "count", value->count);
	json_add_number(to, "count_min", value->least_count);
	strbuf_char(to, '}');
}

/* `distinct` and `has_more` are the most of all contents. */
static void put_values(struct strbuf *to, uint8_t type, const struct flow_values *values,
		       uint32_t distinct, bool has_more)
{
	json_add_number(to, "distinct", distinct);
	json_add_number(to, "distinct_min", values->least_distinct);
	strbuf_printf(to, ", \"more_distinct\": %s", has_more ? "true" : "false");
	strbuf_string(to, ", \"top\": [");
	for (uint32_t i = 0; i < values->count; i++) {
		strbuf_string(to, i ? ", " : "");
		put_value(to, type, &values->list[i]);
	}
	strbuf_printf(to, "], \"top_differs\": %s", values->differ ? "true" : "false");
}

static void put_narrow(struct strbuf *to, const struct flow_pattern *pattern)
{
	const struct pattern *found = &pattern->pattern;
	unsigned own = 8 * element_size(pattern->key.type);

	strbuf_string(to, ", \"narrow\": {\"bits\": ");
	json_number(to, own);
	json_add_known(to, "signed_bits", found->narrow_signed, found->narrow_signed < own);
	json_add_known(to, "unsigned_bits", found->narrow_unsigned, found->narrow_unsigned < own);
	json_add_known(to, "shifted_bits", found->narrow_tail, found->narrow_tail < own);
	strbuf_char(to, '}');
}

static void put_line(struct strbuf *to, const struct flow_pattern *pattern)
{
	strbuf_string(to, ", \"line\": ");
	if (!(pattern->key.kinds & PATTERN_LINEAR) || pattern->lines_differ) {
		strbuf_string(to, "null");
		return;
	}
	strbuf_string(to, "{\"slope\": ");
	put_real(to, pattern->slope);
	strbuf_string(to, ", \"start\": ");
	put_real(to, pattern->start);
	strbuf_string(to, ", \"mse\": ");
	put_real(to, pattern->error);
	strbuf_char(to, '}');
}

static void put_approximate(struct strbuf *to, const struct flow_pattern *pattern)
{
	const struct pattern *found = &pattern->pattern;

	strbuf_string(to, ", \"approximate\": ");
	if (!pattern->key.level) {
		strbuf_string(to, "null");
		return;
	}
	strbuf_string(to, "{\"level\": ");
	json_number(to, pattern->key.level);
	put_kinds(to, pattern->key.rounded_kinds);
	put_values(to, pattern->key.type, &pattern->rounded, found->rounded_distinct,
		   found->frame.flags & PATTERN_MANY_ROUNDED);
	strbuf_char(to, '}');
}

static void put_pattern(struct strbuf *to, const struct flow_pattern *pattern)
{
	const struct pattern *found = &pattern->pattern;

	strbuf_printf(to, "{\"node\": %u, \"memory\": %u, \"object\": %u", pattern->key.node,
		      pattern->key.memory, pattern->object);
	json_add_known(to, "argument", pattern->key.argument,
		       pattern->key.argument != USE_NO_ARGUMENT);
	strbuf_printf(to, ", \"when\": \"%s\", \"type\": \"",
		      pattern->key.flags & PATTERN_BEFORE ? "before" : "after");
	flow_put_type(to, pattern);
	strbuf_printf(to, "\", \"type_assumed\": %s",
		      pattern->key.flags & PATTERN_ASSUMED ? "true" : "false");
	json_add_number(to, "contents", pattern->versions);
	json_add_number(to, "bytes", pattern->bytes);
	put_kinds(to, pattern->key.kinds);
	json_add_number(to, "elements", found->elements);
	json_add_number(to, "elements_min", pattern->least_elements);
	put_values(to, pattern->key.type, &pattern->exact, found->distinct,
		   found->frame.flags & PATTERN_MANY);
	json_add_known(to, "accesses", 0, false);
	put_narrow(to, pattern);
	put_line(to, pattern);
	put_approximate(to, pattern);
	strbuf_char(to, '}');
}

void flow_put_patterns_json(struct strbuf *to, struct advice *advice)
{
	const struct flow *flow = &advice->flow;

	if (!flow->examined) {
		strbuf_string(to, ",\n  \"patterns\": null");
		return;
	}
	strbuf_string(to, ",\n  \"patterns\": [");
	for (uint32_t i = 0; i < flow->patterns.count; i++) {
		strbuf_string(to, i ? ",\n   " : "\n   ");
		put_pattern(to, flow_pattern(flow, i));
	}
	strbuf_string(to, "\n  ]");
}

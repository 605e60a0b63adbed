/* SPDX-License-Identifier: MIT */
/* The table of the patterns of values. */
#include "view/advise/flow_patterns.h"

#include <stdlib.h>

#include "model/element.h"
#include "view/advise/flow_tables.h"

enum {
	CELL = 8,
	WHEN = 6,
	COMMAND = 20,
	PATTERN = 44,
	SHOWN = 20, /* in text; CSV and JSON have all rows */
};

static const char prefix[] = "======== ";

void flow_put_type(struct strbuf *to, const struct flow_pattern *pattern)
{
	strbuf_string(to, element_name(pattern->key.type));
	if (pattern->key.width > 1)
		strbuf_decimal(to, pattern->key.width);
}

void flow_put_real(struct strbuf *to, double number)
{
	strbuf_printf(to, "%.17g", number);
}

void flow_put_value(struct strbuf *to, uint8_t type, uint64_t bits)
{
	int digits = type == ELEMENT_FLOAT64 ? 17 : type == ELEMENT_FLOAT32 ? 9 : 5;

	if (element_is_float(type))
		strbuf_printf(to, "%.*g", digits, element_number(type, bits));
	else if (type <= ELEMENT_INT64)
		strbuf_printf(to, "%lld", (long long)element_integer(type, bits));
	else
		strbuf_printf(to, "%llu", (unsigned long long)bits);
}

void flow_put_range(struct strbuf *to, uint64_t least, uint64_t most)
{
	strbuf_decimal(to, least);
	if (least == most)
		return;
	strbuf_char(to, '-');
	strbuf_decimal(to, most);
}

void flow_put_distinct(struct strbuf *to, const struct flow_values *values, uint32_t most,
		       bool has_more, const char *more)
{
	strbuf_string(to, values->all_have_more ? more : "");
	strbuf_decimal(to, values->least_distinct);
	if (values->least_distinct == most && values->all_have_more == has_more)
		return;
	strbuf_printf(to, "-%s%u", has_more ? more : "", most);
}

struct row {
	struct advice *advice;
	const struct flow_pattern *pattern;
};

static const struct flow_pattern *pattern_of(const void *at)
{
	return ((const struct row *)at)->pattern;
}

static void put_elements(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	flow_put_range(to, pattern_of(at)->least_elements, pattern_of(at)->pattern.elements);
}

static void put_distinct(struct strbuf *to, const struct printer_column *column, const void *at)
{
	const struct pattern *pattern = &pattern_of(at)->pattern;

	(void)column;
	flow_put_distinct(to, &pattern_of(at)->exact, pattern->distinct,
			  pattern->frame.flags & PATTERN_MANY, ">");
}

static void put_versions(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_decimal(to, pattern_of(at)->versions);
}

/* With a question mark if the type is assumed. */
static void put_type(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	flow_put_type(to, pattern_of(at));
	if (pattern_of(at)->key.flags & PATTERN_ASSUMED)
		strbuf_char(to, '?');
}

static void put_when(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	strbuf_string(to, pattern_of(at)->key.flags & PATTERN_BEFORE ? "before" : "after");
}

static void put_argument(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	if (pattern_of(at)->key.argument != USE_NO_ARGUMENT)
		strbuf_decimal(to, pattern_of(at)->key.argument);
}

static const char differs[] = " (differs)"; /* from contents to contents */

static void put_narrow(struct strbuf *to, const struct flow_pattern *pattern)
{
	const struct pattern *found = &pattern->pattern;
	unsigned own = 8 * element_size(pattern->key.type);

	strbuf_string(to, "narrow");
	if (element_is_float(pattern->key.type) && found->narrow_signed < own)
		strbuf_printf(to, " (%s)", found->narrow_signed == 16 ? "half" : "float");
	else if (found->narrow_signed < own && found->narrow_signed <= found->narrow_unsigned)
		strbuf_printf(to, " (%u bits)", found->narrow_signed);
	else if (found->narrow_unsigned < own)
		strbuf_printf(to, " (%u bits, unsigned)", found->narrow_unsigned);
	else if (found->narrow_tail < own)
		strbuf_printf(to, " (%u bits, shifted)", found->narrow_tail);
	else
		strbuf_string(to, differs);
}

/* The most frequent value. */
static void put_top(struct strbuf *to, const struct flow_pattern *pattern)
{
	const struct flow_values *values = &pattern->exact;

	if (values->count) {
		strbuf_char(to, ' ');
		flow_put_value(to, pattern->key.type, values->list[0].value);
	} else if (values->differ) {
		strbuf_string(to, differs);
	}
}

/* Whole percent, rounded down; a share of n / 100 is not exact. */
static uint64_t percent_of(double share)
{
	return (uint64_t)(100 * share + 1e-9);
}

/* One value in half of the elements, or few different ones. 100 % would be all. */
static void put_frequent(struct strbuf *to, const struct flow_pattern *pattern)
{
	const struct flow_values *values = &pattern->exact;

	if (values->least_share >= .5) {
		strbuf_string(to, "frequent");
		put_top(to, pattern);
		strbuf_string(to, " (");
		flow_put_range(to, percent_of(values->least_share), percent_of(values->share));
		strbuf_string(to, "%)");
	} else if (values->are_few || pattern->versions == 1) {
		strbuf_string(to, "few values (");
		flow_put_range(to, values->least_distinct, pattern->pattern.distinct);
		strbuf_char(to, ')');
	} else {
		strbuf_printf(to, "frequent%s", differs);
	}
}

static void put_line(struct strbuf *to, const struct flow_pattern *pattern)
{
	strbuf_string(to, "linear");
	if (pattern->lines_differ)
		strbuf_string(to, differs);
	else
		strbuf_printf(to, " %.6gx%+.6g", pattern->slope, pattern->start);
}

/* Appends the name of a pattern, with what is known of it unless it is approximate. */
static void put_kind(struct strbuf *to, const struct flow_pattern *pattern, unsigned kind,
		     bool is_exact)
{
	switch (kind) {
	case PATTERN_ZEROS:
		strbuf_string(to, "zeros");
		break;
	case PATTERN_SINGLE:
		strbuf_string(to, "single");
		if (is_exact)
			put_top(to, pattern);
		break;
	case PATTERN_FREQUENT:
		if (is_exact)
			put_frequent(to, pattern);
		else
			strbuf_string(to, "frequent");
		break;
	case PATTERN_NARROW:
		if (is_exact)
			put_narrow(to, pattern);
		else
			strbuf_string(to, "narrow");
		break;
	case PATTERN_INTEGERS:
		strbuf_string(to, "integers");
		break;
	case PATTERN_LINEAR:
		put_line(to, pattern);
		break;
	default:
		break;
	}
}

static void put_patterns(struct strbuf *to, const struct flow_pattern *pattern, size_t room)
{
	size_t start = to->length;
	unsigned approximate = flow_approximate(pattern);
	const char *between = "";

	for (unsigned kind = PATTERN_ZEROS; kind <= PATTERN_LINEAR; kind <<= 1) {
		bool is_exact = pattern->key.kinds & kind;

		if (!is_exact && !(approximate & kind))
			continue;
		strbuf_string(to, between);
		if (!is_exact)
			strbuf_char(to, '~');
		put_kind(to, pattern, kind, is_exact);
		between = ", ";
	}
	label_shorten(to, start, room);
}

static void put_pattern_cell(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_patterns(to, pattern_of(at), PATTERN);
}

static void put_pattern_field(struct strbuf *to, const struct printer_column *column,
			      const void *at)
{
	(void)column;
	put_patterns(to, pattern_of(at), 0);
}

static void put_command(struct strbuf *to, const struct row *row, size_t room)
{
	flow_put_command(to, row->advice, flow_node(&row->advice->flow, row->pattern->key.node),
			 room);
}

static void put_command_cell(struct strbuf *to, const struct printer_column *column, const void *at)
{
	(void)column;
	put_command(to, at, COMMAND);
}

static void put_command_field(struct strbuf *to, const struct printer_column *column,
			      const void *at)
{
	(void)column;
	put_command(to, at, 0);
}

static void put_object(struct strbuf *to, const void *at, size_t room)
{
	const struct row *row = at;

	advice_put_object(to, row->advice, advice_object(row->advice, row->pattern->object - 1),
			  room);
}

/* clang-format off */
#define HEADING(name) .heading = name, .csv = "\"" name "\"", .width = CELL

static const struct printer_column pattern_columns[] = {
	{ HEADING("Elements"), .text = put_elements },
	{ HEADING("Distinct"), .text = put_distinct },
	{ HEADING("Contents"), .text = put_versions },
	{ .heading = "Type", .csv = "\"Type\"", .width = -CELL, .quoted = true, .text = put_type },
	{ .heading = "Pattern", .csv = "\"Pattern\"", .width = -PATTERN, .quoted = true,
	  .text = put_pattern_cell, .fields = put_pattern_field },
	{ .heading = "When", .csv = "\"When\"", .width = -WHEN, .quoted = true, .text = put_when },
	{ HEADING("Argument"), .text = put_argument },
	{ .heading = "Command", .csv = "\"Command\"", .width = -COMMAND, .quoted = true,
	  .text = put_command_cell, .fields = put_command_field },
	{ .heading = "Object", .csv = "\"Object\"", .quoted = true, .name = put_object },
};
/* clang-format on */

enum { COLUMNS = sizeof(pattern_columns) / sizeof(pattern_columns[0]) };

static int compare(const void *left, const void *right, void *flow)
{
	uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
	uint64_t first = flow_pattern(flow, one)->bytes, second = flow_pattern(flow, other)->bytes;

	if (first != second)
		return first > second ? -1 : 1;
	return one < other ? -1 : one > other;
}

static void put_rows(const struct printer_page *page, struct advice *advice, const uint32_t *list,
		     size_t count)
{
	struct printer printer = {.page = page, .columns = pattern_columns, .count = COLUMNS};
	struct row row = {.advice = advice};

	for (size_t i = 0; page->csv && i < count; i++) {
		row.pattern = flow_pattern(&advice->flow, list[i]);
		printer_measure(&printer, &row);
	}
	printer_begin(&printer);
	for (size_t i = 0; i < count; i++) {
		row.pattern = flow_pattern(&advice->flow, list[i]);
		printer_row(&printer, &row);
	}
	printer_end(&printer);
}

int flow_put_patterns(const struct printer_page *page, struct advice *advice)
{
	struct flow *flow = &advice->flow;
	uint32_t *list;
	size_t count = 0, shown;
	uint64_t contents = 0;

	if (!flow->examined)
		return 0;
	list = calloc(flow->patterns.count + 1u, sizeof(*list));
	if (!list)
		return -1;
	for (uint32_t i = 0; i < flow->patterns.count; i++) {
		const struct flow_pattern *pattern = flow_pattern(flow, i);

		if (!pattern->key.kinds && !flow_approximate(pattern))
			continue;
		contents += pattern->versions;
		list[count++] = i;
	}
	strbuf_printf(page->text,
		      "%sValue patterns: in %llu of %llu contents of kernels' "
		      "arguments%c\n",
		      prefix, (unsigned long long)contents, (unsigned long long)flow->examined,
		      count ? ':' : '.');
	qsort_r(list, count, sizeof(*list), compare, flow);
	shown = !page->csv && count > SHOWN ? SHOWN : count;
	if (count)
		put_rows(page, advice, list, shown);
	if (count > shown)
		strbuf_printf(page->text, "%s%llu more: --csv and --json have all.\n", prefix,
			      (unsigned long long)(count - shown));
	free(list);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "view/compare/compare_json.h"

#include <string.h>

#include "model/api.h"
#include "output/jsontext.h"

/* Appends an array of the lines. */
static void put_lines(struct strbuf *to, const char *name, const struct strbuf *list)
{
	const char *between = "";
	size_t at = 0;

	strbuf_printf(to, ", \"%s\": [", name);
	while (at < list->length) {
		const char *line = list->data + at, *end = memchr(line, '\n', list->length - at);

		strbuf_string(to, between);
		json_escaped(to, line, (size_t)(end - line));
		between = ", ";
		at += (size_t)(end + 1 - line);
	}
	strbuf_char(to, ']');
}

static void put_environment(struct strbuf *to, const struct comparison *comparison,
			    enum runs_side side)
{
	const struct run_side *at = &comparison->runs->sides[side];

	strbuf_printf(to, ",\n \"%c\": {\"runs\": %llu", 'a' + (int)side,
		      (unsigned long long)at->count);
	put_lines(to, "devices", &at->devices);
	put_lines(to, "systems", &at->systems);
	put_lines(to, "commands", &at->commands);
	strbuf_char(to, '}');
}

static void put_value(struct strbuf *to, const struct compare_row *row, enum runs_side side)
{
	const struct compare_value *value = &row->sides[side];

	strbuf_printf(to, ", \"%c\": {\"runs\": %llu", 'a' + (int)side,
		      (unsigned long long)value->runs);
	if (row->what) {
		strbuf_printf(to, ", \"launches\": %.1f, \"min_ns\": %.1f, \"p50_ns\": %.1f",
			      value->launches, value->times[STATISTIC_MINIMUM],
			      value->times[STATISTIC_MEDIAN]);
		if (value->sized)
			strbuf_printf(to, ", \"bytes\": %.1f", value->bytes);
		else
			strbuf_string(to, ", \"bytes\": null");
	}
	strbuf_printf(to, ", \"total_ns\": %.1f, \"share\": %.6f}", value->times[STATISTIC_TOTAL],
		      value->share);
}

static void put_test(struct strbuf *to, const struct compare_row *row, enum statistic statistic)
{
	const struct ranktest *test = &row->tests[statistic];

	strbuf_printf(to, "{\"of\": \"%s\", \"shift_ns\": %.1f", compare_statistic(statistic),
		      test->shift);
	if (test->has_interval)
		strbuf_printf(to, ", \"low_ns\": %.1f, \"high_ns\": %.1f", test->low, test->high);
	else
		strbuf_string(to, ", \"low_ns\": null, \"high_ns\": null");
	strbuf_printf(to, ", \"p_slower\": %.9f, \"p_faster\": %.9f, \"p_two_sided\": %.9f",
		      test->greater, test->less, test->both);
	if (row->tested)
		strbuf_printf(to, ", \"joint_slower\": %.9f, \"joint_faster\": %.9f}",
			      row->slower[statistic], row->faster[statistic]);
	else
		strbuf_string(to, ", \"joint_slower\": null, \"joint_faster\": null}");
}

static void put_tests(struct strbuf *to, const struct compare_row *row)
{
	const char *between = "";

	strbuf_string(to, ", \"tests\": [");
	for (enum statistic statistic = 0; statistic < STATISTICS; statistic++) {
		if (!(row->measured & 1u << statistic))
			continue;
		strbuf_string(to, between);
		put_test(to, row, statistic);
		between = ", ";
	}
	strbuf_char(to, ']');
}

static void put_row(struct strbuf *to, const struct comparison *comparison,
		    const struct compare_row *row)
{
	const struct record *like = row->what ? &row->what->like : NULL;
	const char *name = "";
	size_t length = 0;

	strbuf_string(to, "{\"kind\": ");
	if (!row->what)
		strbuf_string(to, "\"all\", \"name\": ");
	else if (like->frame.kind == FRAME_KERNEL)
		strbuf_string(to, "\"kernel\", \"name\": ");
	else
		strbuf_string(to, like->frame.kind == FRAME_COPY ? "\"copy\", \"name\": "
								 : "\"fill\", \"name\": ");
	if (like && like->frame.flags & LABEL_OTHER)
		name = LABEL_OTHER_NAME;
	else if (like && like->frame.kind == FRAME_KERNEL)
		name = names_text(comparison->runs->activities.names, like->name, &length);
	else if (like && like->frame.kind == FRAME_COPY)
		name = label_direction(like);
	json_name(to, name, length ? length : strlen(name));
	if (row->what)
		strbuf_printf(to, ", \"api\": \"%s\"", api_row(row->what->api)->name);
	strbuf_printf(to, ", \"verdict\": \"%s\"", compare_word(row->verdict));
	put_value(to, row, RUNS_A);
	put_value(to, row, RUNS_B);
	put_tests(to, row);
	strbuf_char(to, '}');
}

void compare_put_json(struct strbuf *to, struct comparison *comparison)
{
	const char *word = compare_word(comparison->verdict);

	strbuf_printf(to, "{\"version\": 1, \"verdict\": \"%s\"",
		      comparison->verdict == VERDICT_UNTESTED ? "inconclusive" : word);
	strbuf_printf(to, ", \"level\": %g, \"threshold\": %g, \"floor_ns\": %.0f", COMPARE_ALPHA,
		      comparison->options.threshold, comparison->options.floor);
	strbuf_printf(to, ", \"tests\": %llu", (unsigned long long)comparison->tests);
	put_environment(to, comparison, RUNS_A);
	put_environment(to, comparison, RUNS_B);
	strbuf_string(to, ",\n \"rows\": [");
	for (size_t i = 0; i < comparison->count; i++) {
		strbuf_string(to, i ? ",\n  " : "\n  ");
		put_row(to, comparison, &comparison->rows[i]);
	}
	strbuf_string(to, "\n ]");
	put_lines(to, "notes", &comparison->notes);
	strbuf_string(to, "}\n");
}

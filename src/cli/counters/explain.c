/* SPDX-License-Identifier: MIT */
/* Describes counters, for computeprof help. */
#include "cli/counters/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/counters/countertext.h"
#include "cli/counters/cupti_query.h"
#include "cli/lines.h"
#include "cli/list/list.h"
#include "model/formula.h"

enum { INDENT = 4, WIDTH = 78 };

static const struct {
	const char *counts;
	const char *high;
	const char *differs;
} texts[COUNTER_2010_COUNT] = {
#define EXPLAIN(counter, counts, high, differs) [COUNTER_##counter] = {counts, high, differs},
#include "cli/counters/explain.def"
#undef EXPLAIN
};

static void paragraph(const char *text)
{
	lines_paragraph(text, INDENT, WIDTH);
}

static void section(const char *title, const char *text)
{
	printf("\n%s\n", title);
	paragraph(text);
}

static void put_passes(struct strbuf *to, unsigned passes)
{
	if (passes == 1)
		strbuf_string(to, ", in 1 pass (a kernel runs once)");
	else if (passes)
		strbuf_printf(to, ", in %u passes (a kernel runs %u times)", passes, passes);
}

/* Prints the formula of an available counter. */
static void put_way(struct strbuf *to, const struct chip_counter *found)
{
	strbuf_printf(to, "%s: %s ", list_grade(found->way.grade),
		      found->event ? "CUPTI event" : "metric");
	strbuf_append(to, found->way.formula, found->way.length);
}

static void on_chip(int id, const struct chip *chip)
{
	struct chip_counter found = chip_counter(chip, id);
	struct counter counter = counter_get(id);
	struct strbuf text = STRBUF_INIT;

	printf("\nOn %s (%s), compute capability %u.%u\n", chip->name, chip->products,
	       chip->capability / 10, chip->capability % 10);
	if (found.way.grade == COUNTER_NONE) {
		strbuf_string(&text, "not available: ");
		list_why_not(&text, chip, found.missing, counter.why);
	} else {
		put_way(&text, &found);
		put_passes(&text, found.passes);
		if (found.way.grade == COUNTER_APPROXIMATE && !found.event && *counter.why)
			strbuf_printf(&text, "; %s", counter.why);
	}
	strbuf_char(&text, '.');
	paragraph(strbuf_text(&text));
	strbuf_free(&text);
}

static bool same(const struct chip_counter *left, const struct chip_counter *right)
{
	return left->way.grade == right->way.grade && left->way.length == right->way.length &&
	       (!left->way.length ||
		!memcmp(left->way.formula, right->way.formula, left->way.length));
}

/* Prints one line per range of compute capabilities with the same formula; the number of passes may
 * differ within a range. */
static void print_chips(int id)
{
	struct strbuf text = STRBUF_INIT;

	printf("\n"
	       "Availability by compute capability (see list chips; --chip NAME shows more)\n");
	for (int first = 0, next; first < CHIP_COUNT; first = next) {
		struct chip_counter found = chip_counter(&chips[first], id), other;
		unsigned from = chips[first].capability, to = from;

		for (next = first + 1; next < CHIP_COUNT; next++) {
			other = chip_counter(&chips[next], id);
			if (!same(&found, &other) && chips[next].capability != from)
				break;
			to = chips[next].capability;
		}
		text.length = 0;
		strbuf_printf(&text, "%u.%u", from / 10, from % 10);
		if (to != from)
			strbuf_printf(&text, " to %u.%u", to / 10, to % 10);
		strbuf_string(&text, ": ");
		if (found.way.grade == COUNTER_NONE)
			strbuf_string(&text, "not available");
		else
			put_way(&text, &found);
		paragraph(strbuf_text(&text));
	}
	strbuf_free(&text);
}

static bool is_on_any_chip(int id)
{
	int chip = 0;

	while (chip < CHIP_COUNT && chip_counter(&chips[chip], id).way.grade == COUNTER_NONE)
		chip++;
	return chip < CHIP_COUNT;
}

/* Prints the part of the device that a value covers, which is the same for many counters. */
static void print_scope(int id)
{
	struct counter counter = counter_get(id);
	struct counter_way way = counter_metric(counter.metric, 0);
	struct formula formula = {0};
	const char *text;

	if (!is_on_any_chip(id))
		return;
	if (way.grade != COUNTER_NONE)
		formula_parse(&formula, way.formula, way.length);
	if (counter.kind == COUNTER_KIND_NVPROF)
		text = "The whole device, with and without countermodeaggregate.";
	else if (counter_is_of_one(id, &formula))
		text = "One multiprocessor, as with the drivers of 2010. Devices up to compute "
		       "capability 7.2 count one multiprocessor. Later devices count all of them; "
		       "the sum is divided by their number and rounded. With the word "
		       "countermodeaggregate in the configuration file the value is the sum of all "
		       "multiprocessors.";
	else
		text = "Up to compute capability 7.2, one of the units of the device that count "
		       "its events, or all of these units with the word countermodeaggregate in "
		       "the configuration file. On later devices, always the whole device.";
	section("Part of the device", text);
}

static void print_how_to_request(const char *name)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text,
		      "Write %s on a line of its own into a file, and run: computeprof -c FILE "
		      "PROGRAM. Each kernel's row in the log then has a column of this name.",
		      name);
	section("How to use it", strbuf_text(&text));
	strbuf_free(&text);
}

static void explain(int id, const struct chip *chip)
{
	static const char *const kinds[] = {
		[COUNTER_KIND_2010] = "in the manual of 2010",
		[COUNTER_KIND_EVENT] = "a later event",
		[COUNTER_KIND_NVPROF] = "a metric of nvprof",
	};
	struct counter counter = counter_get(id);
	struct strbuf title = STRBUF_INIT;

	strbuf_printf(&title, "%s (%s): %s", counter.name, kinds[counter.kind],
		      counter_texts[id].help);
	lines_paragraph(strbuf_text(&title), 0, WIDTH);
	strbuf_free(&title);
	printf("Unit: %s\n", counter_texts[id].unit);
	if (counter.kind == COUNTER_KIND_2010) {
		section("Meaning", texts[id].counts);
		section("High values", texts[id].high);
		section("Difference from 2010", texts[id].differs);
	} else if (*counter.why) {
		section("Difference from the name", counter.why);
	}
	print_scope(id);
	if (chip)
		on_chip(id, chip);
	else
		print_chips(id);
	if (is_on_any_chip(id))
		print_how_to_request(counter.name);
}

static void explain_metric(const char *name, const struct chip *chip)
{
	struct cupti_query_answer answer;

	printf("%s: a PerfWorks metric, which can be used by this name\n", name);
	section("Part of the device", "The whole device, with and without countermodeaggregate.");
	section("Devices",
		"Those of compute capability 7.5 and later, if the chip has it (--chip NAME).");
	print_how_to_request(name);
	if (!chip)
		return;
	cupti_query_metrics(&answer, chip, &name, 1);
	if (!answer.known)
		section(chip->name, "Not known: no libcupti of CUDA 12.6 Update 2 to 13.1 that "
				    "knows this chip was found (or later, with a driver).");
	else
		section(chip->name,
			*answer.have == '1' ? "The chip has it." : "The chip does not have it.");
	free(answer.have);
}

bool explain_counter(const char *name, const struct chip *chip)
{
	int id = counter_find_words(name);

	if (id >= 0)
		explain(id, chip);
	else if (counter_is_raw(name))
		explain_metric(name, chip);
	else
		return false;
	return true;
}

/* SPDX-License-Identifier: MIT */
/* A table of the counters of one chip. */
#include "cli/list/list.h"

#include <stdio.h>

#include "cli/counters/countertext.h"
#include "cli/lines.h"

enum { WIDTH = 100 };

static const char *const grades[] = {
	[COUNTER_NONE] = "none",
	[COUNTER_APPROXIMATE] = "approximate",
	[COUNTER_EXACT] = "exact",
};

const char *list_grade(enum counter_grade grade)
{
	return grades[grade];
}

void list_why_not(struct strbuf *to, const struct chip *chip, const char *missing, const char *why)
{
	if (chip_access(chip) == CHIP_LOST)
		strbuf_string(to, "CUPTI since CUDA 7.0 does not support compute capability 1.x");
	else if (*missing)
		strbuf_printf(to, "%s has no %s", chip->name, missing);
	else if (chip_access(chip) == CHIP_EVENTS)
		strbuf_printf(to, "compute capability %u.%u has no event for it",
			      chip->capability / 10, chip->capability % 10);
	else
		strbuf_string(to, why);
}

void list_chip_row(struct strbuf *rows, const struct chip *chip, int id,
		   const struct chip_counter *found)
{
	struct counter counter = counter_get(id);

	strbuf_printf(rows, "%s\t%s\t%s\t", counter.name, counter_texts[id].unit,
		      grades[found->way.grade]);
	if (found->passes)
		strbuf_printf(rows, "%u\t", found->passes);
	else
		strbuf_string(rows, "-\t");
	if (found->way.grade == COUNTER_NONE)
		list_why_not(rows, chip, found->missing, counter.why);
	else
		strbuf_append(rows, found->way.formula, found->way.length);
	strbuf_char(rows, '\n');
}

void list_chip_title(const struct chip *chip)
{
	static const char *const access[] = {
		[CHIP_LOST] = "its counters cannot be read any more",
		[CHIP_EVENTS] = "its counters are CUPTI events, which need a CUPTI before CUDA 13 "
				"and a driver before 580",
		[CHIP_METRICS] = "its counters are computed from PerfWorks metrics, which need a "
				 "CUPTI of CUDA 12.6 Update 2 or later",
	};
	struct strbuf title = STRBUF_INIT;

	strbuf_printf(&title, "%s (%s), compute capability %u.%u: %s.", chip->name, chip->products,
		      chip->capability / 10, chip->capability % 10, access[chip_access(chip)]);
	lines_paragraph(strbuf_text(&title), 0, WIDTH);
	strbuf_free(&title);
	if (chip_access(chip) != CHIP_LOST)
		printf("\n"
		       "CLASS   exact: the value is as the name says; approximate: it is close;\n"
		       "        none: not available on this chip\n"
		       "PASSES  how often each kernel runs to measure this counter\n"
		       "HOW     the formula, or why the counter is not available\n"
		       "'computeprof help NAME' explains a counter and its share of the "
		       "device.\n");
	putchar('\n');
}

/* SPDX-License-Identifier: MIT */
/*
 * Prints src/cli/counters/metrics.def anew, from the libcupti that COMPUTEPROF_CUPTI names or that
 * is found:
 *
 *	tests/unit/print_metrics >../src/cli/counters/metrics.def
 *
 * No driver is needed. Exit code: 0, or 77 without a libcupti of 12.6 Update 2 or later.
 */
#include <stdio.h>
#include <string.h>

#include "metricfacts.h"

enum { NO_CUPTI = 77, CHIPS = 64, COLUMNS = 88 };

static const char head[] =
	"/* SPDX-License-Identifier: MIT */\n"
	"/*\n"
	" * METRIC(name, chips that lack it) and PASSES(counter, \"N CHIP=N ...\"): how often a\n"
	" * kernel runs while it is measured, on most chips and on the others. Printed by\n"
	" * tests/unit/print_metrics with CUPTI %u; those of CUDA 12.6 and 12.9 say the same.\n"
	" */\n"
	"/* clang-format off */\n";

static struct metricfacts facts;
static bool have[CHIPS][FACT_METRICS];
static bool known[CHIPS];
static size_t passes[CHIPS][COUNTER_COUNT];

/* A word of a string that spans several lines of the file. */
static void word(const char *text, size_t *column)
{
	if (*column + strlen(text) > COLUMNS) {
		printf("\"\n\t\"");
		*column = 8;
	}
	fputs(text, stdout);
	putchar(' ');
	*column += strlen(text) + 1;
}

static void print_metric(size_t metric)
{
	const char *name = facts.metrics[metric];
	size_t length = strlen(name) > COLUMNS - 10 ? strcspn(name, ".") : strlen(name), column;

	printf("METRIC(\"%.*s", (int)length, name);
	if (name[length])
		printf("\"\n\t\"%s", name + length);
	printf("\",");
	column = length + 10;
	if (column > COLUMNS) {
		printf("\n\t\" ");
		column = 10;
	} else {
		column += (size_t)printf(" \" ");
	}
	for (size_t i = 0; i < facts.chip_count; i++)
		if (known[i] && !have[i][metric])
			word(facts.chips[i], &column);
	printf("\")\n");
}

static void find_passes(size_t chip)
{
	known[chip] = !metricfacts_have(&facts, facts.chips[chip], have[chip]);
	if (!known[chip])
		return;
	metricfacts_plan(&facts, facts.chips[chip], have[chip]);
	for (int id = 0; id < COUNTER_COUNT; id++) {
		struct counter_way way = metricfacts_way(&facts, have[chip], id);

		if (way.grade != COUNTER_NONE)
			passes[chip][id] = metricfacts_passes(&facts, facts.chips[chip], way);
	}
}

static void print_passes(int id)
{
	size_t usual = 0, column;
	char text[64];

	for (size_t i = 0; i < facts.chip_count; i++)
		usual = passes[i][id] ? passes[i][id] : usual; /* that of the newest */
	if (!usual)
		return;
	column = (size_t)printf("PASSES(%s, \" %zu ", counter_get(id).name, usual);
	for (size_t i = 0; i < facts.chip_count; i++) {
		if (!passes[i][id] || passes[i][id] == usual)
			continue;
		snprintf(text, sizeof(text), "%s=%zu", facts.chips[i], passes[i][id]);
		word(text, &column);
	}
	printf("\")\n");
}

int main(void)
{
	if (metricfacts_open(&facts) || facts.chip_count > CHIPS)
		return NO_CUPTI;
	for (size_t i = 0; i < facts.chip_count; i++)
		find_passes(i);
	printf(head, facts.version);
	for (size_t i = 0; i < facts.metric_count; i++)
		print_metric(i);
	for (int id = 0; id < COUNTER_COUNT; id++)
		print_passes(id);
	printf("/* clang-format on */\n");
	return 0;
}

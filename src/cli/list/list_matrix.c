/* SPDX-License-Identifier: MIT */
/* Prints doc/COUNTERS: the availability of each counter by chip. */
#include <stdio.h>
#include <string.h>

#include "cli/counters/chip.h"
#include "cli/counters/countertext.h"
#include "cli/lines.h"
#include "cli/list/list.h"

enum { NAME_WIDTH = 41, INDENT = 4, PAGE_WIDTH = 95 };

static const char head[] =
	"Which counter on which device\n"
	"=============================\n"
	"\n"
	"This page lists the names of counters for configuration files and their availability on\n"
	"each generation of NVIDIA's devices. `computeprof list counters --man` prints the page\n"
	"from the tables of the program. `computeprof help NAME` explains a counter, and\n"
	"`computeprof list counters --chip NAME` lists the formulas and passes. doc/COUNTING\n"
	"explains how to measure counters.\n"
	"\n"
	"    =  exact: the value is as the name says\n"
	"    ~  approximate: it is close to that; `computeprof help` names the difference\n"
	"    -  none: the device cannot count it\n"
	"\n"
	"The columns are compute capabilities. CUDA 6.5 was the last release that reads counters\n"
	"of 1.x. Counters of 2.0 to 7.2 are CUPTI events: they need a CUPTI before release 13 and\n"
	"a driver before 580. Counters from 7.5 on are computed from PerfWorks metrics: they need\n"
	"a CUPTI of CUDA 12.6 Update 2 or later.\n";

/* The columns of the table: ranges of chips with equal entries in all rows. */
struct matrix {
	unsigned first[CHIP_COUNT];
	unsigned count;
};

static char cell(unsigned chip, int id)
{
	static const char marks[] = {
		[COUNTER_NONE] = '-', [COUNTER_APPROXIMATE] = '~', [COUNTER_EXACT] = '='};

	return marks[chip_counter(&chips[chip], id).way.grade];
}

static bool same(unsigned left, unsigned right, int first, int end)
{
	for (int id = first; id < end; id++)
		if (cell(left, id) != cell(right, id))
			return false;
	return true;
}

static void make(struct matrix *matrix, int first, int end)
{
	matrix->count = 0;
	for (unsigned chip = 0; chip < CHIP_COUNT; chip++)
		if (chip == 0 || !same(chip - 1, chip, first, end))
			matrix->first[matrix->count++] = chip;
}

static void print_heading(const struct matrix *matrix, bool last)
{
	printf("%-*s", NAME_WIDTH, last ? "                    up to" : "compute capability  from");
	for (unsigned i = 0; i < matrix->count; i++) {
		unsigned next = i + 1 < matrix->count ? matrix->first[i + 1] : CHIP_COUNT;
		unsigned capability = chips[last ? next - 1 : matrix->first[i]].capability;

		printf("%2u.%u%s", capability / 10, capability % 10,
		       i + 1 < matrix->count ? "  " : "\n");
	}
}

static void print_rows(const struct matrix *matrix, int first, int end)
{
	for (int id = first; id < end; id++) {
		printf("%-*s", NAME_WIDTH, counter_get(id).name);
		for (unsigned i = 0; i < matrix->count; i++)
			printf("  %c%s", cell(matrix->first[i], id),
			       i + 1 < matrix->count ? "   " : "\n");
	}
}

static void print_title(const char *title)
{
	printf("\n\n%s\n", title);
	for (size_t i = 0; i < strlen(title); i++)
		putchar('-');
	putchar('\n');
}

static void print_table(const char *title, int first, int end)
{
	struct matrix matrix;

	make(&matrix, first, end);
	print_title(title);
	putchar('\n');
	print_heading(&matrix, false);
	print_heading(&matrix, true);
	print_rows(&matrix, first, end);
}

/* Prints the present formulas of the names of 2010. */
static void print_today(void)
{
	print_title("The names of 2010 from compute capability 7.5 on");
	for (int id = 0; id < COUNTER_2010_COUNT; id++) {
		struct counter counter = counter_get(id);
		struct strbuf text = STRBUF_INIT;

		printf("\n%s: %s\n", counter.name, counter_texts[id].help);
		for (unsigned number = 0;; number++) {
			struct counter_way way = counter_metric(counter.metric, number);

			if (way.grade == COUNTER_NONE)
				break;
			strbuf_printf(&text, "%s: ", list_grade(way.grade));
			strbuf_append(&text, way.formula, way.length);
			strbuf_string(&text, *counter.why ? "; " : "");
		}
		if (!text.length)
			strbuf_string(&text, "none: ");
		strbuf_string(&text, counter.why);
		lines_paragraph(strbuf_text(&text), INDENT, PAGE_WIDTH);
		strbuf_free(&text);
	}
}

void list_matrix(void)
{
	fputs(head, stdout);
	print_table("The manual of 2010", 0, COUNTER_2010_COUNT);
	print_table("Later events", COUNTER_2010_COUNT, COUNTER_EVENTS_COUNT);
	print_table("nvprof's metrics", COUNTER_EVENTS_COUNT, COUNTER_COUNT);
	print_today();
}

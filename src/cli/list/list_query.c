/* SPDX-License-Identifier: MIT */
/* --query-events and --query-metrics: lists the counters in nvprof's format. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/counters/countertext.h"
#include "cli/counters/cupti_query.h"
#include "cli/devices.h"
#include "cli/lines.h"
#include "cli/list/list.h"
#include "cli/report/report.h"
#include "cli/sandbox.h"
#include "model/formula.h"

enum { NAME_WIDTH = 32, UNIT_SIZE = 32 };

struct query {
	const struct flags *flags;
	struct report devices; /* only its filter of --devices is used */
	const char *title;
	bool metrics;
};

/* A counter of a chip, and the unit of the chip that counts it. */
struct entry {
	int id;
	bool approximate;
	char unit[UNIT_SIZE];
};

/* l2 counts "l2_subp0_read_sectors", tex counts "tex0_cache_sector_queries"; multiprocessors count
 * most of the rest. */
static const char *unit_of_event(const struct formula_name *name)
{
	static const char *const units[] = {"fb", "l2", "tex", "pcie"};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strncmp(name->text, units[i], strlen(units[i])))
			return units[i];
	return "sm";
}

/* Takes the unit of the formula's first name: "lts" of lts__t_sectors.sum. */
static void find_unit(struct entry *entry, const struct chip_counter *found)
{
	struct formula formula;
	const char *mark;

	strcpy(entry->unit, "sm");
	if (formula_parse(&formula, found->way.formula, found->way.length) || !formula.name_count)
		return;
	mark = strstr(formula.names[0].text, "__");
	if (found->event)
		strcpy(entry->unit, unit_of_event(&formula.names[0]));
	else if (mark && mark - formula.names[0].text < UNIT_SIZE)
		snprintf(entry->unit, UNIT_SIZE, "%.*s", (int)(mark - formula.names[0].text),
			 formula.names[0].text);
}

/* Collects the names of 2010 and of later events, or nvprof's metrics. Returns their number. */
static int collect(struct entry *entries, const struct chip *chip, bool metrics)
{
	int count = 0;

	for (int id = 0; id < COUNTER_COUNT; id++) {
		struct chip_counter found = chip_counter(chip, id);

		if ((counter_get(id).kind == COUNTER_KIND_NVPROF) != metrics ||
		    found.way.grade == COUNTER_NONE)
			continue;
		entries[count].id = id;
		entries[count].approximate = found.way.grade == COUNTER_APPROXIMATE;
		find_unit(&entries[count++], &found);
	}
	return count;
}

static void print_entry(const struct entry *entry)
{
	const struct counter_text *text = &counter_texts[entry->id];

	printf("%*s:  %c%s (%s)%s\n\n", NAME_WIDTH, counter_get(entry->id).name,
	       toupper((unsigned char)*text->help), text->help + 1, text->unit,
	       entry->approximate ? ", approximately" : "");
}

static bool is_first_of_unit(const struct entry *entries, int at)
{
	for (int i = 0; i < at; i++)
		if (!strcmp(entries[i].unit, entries[at].unit))
			return false;
	return true;
}

static void print_domain(const struct entry *entries, int count, const char *unit)
{
	printf("\tDomain %s:\n", unit);
	for (int i = 0; i < count; i++)
		if (!strcmp(entries[i].unit, unit))
			print_entry(&entries[i]);
}

/* nvprof lists metrics without a domain. */
static void print_chip(const struct query *query, const struct chip *chip)
{
	static struct entry entries[COUNTER_COUNT];
	int count = collect(entries, chip, query->metrics);

	for (int i = 0; i < count; i++) {
		if (query->metrics)
			print_entry(&entries[i]);
		else if (is_first_of_unit(entries, i))
			print_domain(entries, count, entries[i].unit);
	}
}

static void print_title(const struct query *query)
{
	printf("Available %s:\n%*s   Description\n", query->title, NAME_WIDTH, "Name");
}

static bool is_wanted(const struct query *query, uint32_t number)
{
	const struct report *report = &query->devices;

	for (unsigned i = 0; i < report->options.device_count; i++)
		if (report->devices[i] == number)
			return true;
	return !report->options.device_count;
}

/* Parses a line "NUMBER<tab>CAPABILITY<tab>NAME". Returns false if the chip is unknown. */
static bool print_device(const struct query *query, const char *line, size_t length)
{
	char *rest;
	unsigned long number = strtoul(line, &rest, 10);
	unsigned capability = (unsigned)strtoul(rest, &rest, 10);
	const struct chip *chip = chip_of_capability(capability);
	const char *end = line + length;

	if (!is_wanted(query, (uint32_t)number))
		return false;
	rest += rest < end;
	if (!chip || chip_access(chip) == CHIP_LOST) {
		say("device %lu (%.*s) has compute capability %u.%u, which has no counters here",
		    number, (int)(end - rest), rest, capability / 10, capability % 10);
		return false;
	}
	printf("Device %lu (%.*s):\n", number, (int)(end - rest), rest);
	print_chip(query, chip);
	return true;
}

/* Returns the number of devices that were printed. */
static int print_devices(const struct query *query)
{
	struct strbuf out = STRBUF_INIT;
	const char *at, *line;
	size_t length;
	int count = 0;

	if (sandbox_run(devices_capabilities, NULL, &out) || !out.length) {
		say("no CUDA device found%s%s; add --chip NAME for a chip of 'computeprof list "
		    "chips'",
		    out.length ? ": " : "", strbuf_text(&out));
		strbuf_free(&out);
		return 0;
	}
	print_title(query);
	at = strbuf_text(&out);
	while ((line = lines_next(&at, &length)))
		count += print_device(query, line, length);
	if (!count)
		say("none of these devices has counters");
	strbuf_free(&out);
	return count;
}

static int print_named(const struct query *query)
{
	const struct chip *chip = cupti_query_chip(query->flags);

	if (!chip)
		return EXIT_PROBLEM; /* after a message */
	if (chip_access(chip) == CHIP_LOST) {
		say("CUPTI since CUDA 7.0 does not support %s", chip->name);
		return EXIT_PROBLEM;
	}
	print_title(query);
	printf("Device (%s):\n", chip->name);
	print_chip(query, chip);
	return EXIT_DONE;
}

static int print_query(const struct query *query)
{
	if (query->flags->value[FLAG_CHIP])
		return print_named(query);
	return print_devices(query) ? EXIT_DONE : EXIT_PROBLEM;
}

/* No other option can be combined with these. */
static int check(const struct flags *flags, enum flag_id asked)
{
	static const enum flag_id with[] = {FLAG_QUERY_EVENTS, FLAG_QUERY_METRICS, FLAG_CHIP,
					    FLAG_DEVICES};

	for (int i = 0; i < FLAG_COUNT; i++) {
		bool takes = !flags->value[i];

		for (size_t at = 0; at < sizeof(with) / sizeof(with[0]); at++)
			takes |= with[at] == (enum flag_id)i;
		if (takes)
			continue;
		say("--%s can be combined with --chip or --devices, but not with "
		    "--%s", flag_rows[asked].name,
		    flag_rows[i].name);
		return -1;
	}
	if (flags->value[FLAG_CHIP] && flags->value[FLAG_DEVICES]) {
		say("--chip and --devices exclude each other: a chip need not be in the machine");
		return -1;
	}
	if (flags->argument_count) {
		say("--%s runs no program: leave out '%s'", flag_rows[asked].name,
		    flags->arguments[0]);
		return -1;
	}
	return 0;
}

int list_query(const struct flags *flags)
{
	bool events = flags->value[FLAG_QUERY_EVENTS], metrics = flags->value[FLAG_QUERY_METRICS];
	struct query query = {.flags = flags};
	int result = EXIT_DONE;

	if (check(flags, events ? FLAG_QUERY_EVENTS : FLAG_QUERY_METRICS) ||
	    (flags->value[FLAG_DEVICES] &&
	     report_devices(&query.devices, flags->value[FLAG_DEVICES])))
		return EXIT_TOOL_FAILED;
	query.title = "Events";
	if (events)
		result = print_query(&query);
	query.title = "Metrics";
	query.metrics = true;
	if (metrics && result == EXIT_DONE)
		result = print_query(&query);
	return result;
}

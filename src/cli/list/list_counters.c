/* SPDX-License-Identifier: MIT */
/* Lists the counters for configuration files, and their formulas on a chip. */
#include <stdio.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/counters/countertext.h"
#include "cli/counters/cupti_query.h"
#include "cli/list/list.h"
#include "cli/table.h"

static void put_all(struct strbuf *rows)
{
	strbuf_string(rows, "COUNTER\tUNIT\tMEANING\n");
	for (int id = 0; id < COUNTER_COUNT; id++)
		strbuf_printf(rows, "%s\t%s\t%s\n", counter_get(id).name, counter_texts[id].unit,
			      counter_texts[id].help);
}

static void put_of_chip(struct strbuf *rows, const struct chip *chip)
{
	strbuf_string(rows, LIST_CHIP_HEADING);
	for (int id = 0; id < COUNTER_COUNT; id++) {
		struct chip_counter found = chip_counter(chip, id);

		list_chip_row(rows, chip, id, &found);
	}
}

int list_counters(const struct flags *flags)
{
	bool of_one = flags->value[FLAG_CHIP] || flags->value[FLAG_DEVICE];
	const struct chip *chip = cupti_query_chip(flags);
	struct strbuf rows = STRBUF_INIT;

	if (of_one && !chip)
		return EXIT_PROBLEM;
	if (flags->value[FLAG_MAN]) {
		list_matrix();
		return EXIT_DONE;
	}
	if (flags->value[FLAG_CONFIG] && !chip) {
		say("the number of passes depends on the chip: add --chip NAME or --device NUMBER");
		return EXIT_TOOL_FAILED;
	}
	if (chip && !flags->value[FLAG_CHIP])
		printf("Device %s has the counters of this chip, the first of its compute "
		       "capability:\n",
		       flags->value[FLAG_DEVICE]);
	if (flags->value[FLAG_CONFIG])
		return list_requested(chip, flags->value[FLAG_CONFIG]);
	if (chip) {
		list_chip_title(chip);
		put_of_chip(&rows, chip);
	} else {
		put_all(&rows);
	}
	table_print(&rows);
	strbuf_free(&rows);
	return EXIT_DONE;
}

/* SPDX-License-Identifier: MIT */
#include "cli/list/list.h"

#include <stddef.h>
#include <string.h>

#include "base/say.h"
#include "cli/command.h"

static const struct {
	const char *name;
	int (*print)(const struct flags *flags);
	bool has_manual; /* takes --man */
	bool has_chip;	 /* takes the other options */
} lists[] = {
	{.name = "options", .print = list_options, .has_manual = true},
	{.name = "devices", .print = list_devices},
	{.name = "configs", .print = list_configs},
	{.name = "counters", .print = list_counters, .has_manual = true, .has_chip = true},
	{.name = "chips", .print = list_chips},
};

/* Refuses options that the list does not take. --man takes no others. */
static int check(const struct flags *flags, size_t list)
{
	bool manual = flags->value[FLAG_MAN];

	for (int id = 0; id < FLAG_COUNT; id++) {
		bool takes = id == FLAG_MAN ? lists[list].has_manual
					    : lists[list].has_chip && !manual;

		if (!flags->value[id] || takes)
			continue;
		say("list %s%s takes no --%s", lists[list].name,
		    manual && id != FLAG_MAN ? " --man" : "", flag_rows[id].name);
		return EXIT_TOOL_FAILED;
	}
	return EXIT_DONE;
}

int list_command(const struct flags *flags)
{
	const char *name = flags->argument_count == 1 ? flags->arguments[0] : "";

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(name, lists[i].name))
			return check(flags, i) ? EXIT_TOOL_FAILED : lists[i].print(flags);
	say("list one of: options, devices, configs, counters, chips");
	return EXIT_TOOL_FAILED;
}

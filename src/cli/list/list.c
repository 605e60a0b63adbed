/* SPDX-License-Identifier: MIT */
#include "cli/list/list.h"

#include <stddef.h>
#include <string.h>

#include "base/say.h"
#include "cli/command.h"

static const struct {
	const char *name;
	int (*print)(const struct flags *flags);
} lists[] = {
	{"options", list_options},
	{"devices", list_devices},
	{"configs", list_configs},
	{"counters", list_counters},
	{"chips", list_chips},
};

int list_command(const struct flags *flags)
{
	const char *name = flags->argument_count == 1 ? flags->arguments[0] : "";

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(name, lists[i].name))
			return lists[i].print(flags);
	say("list one of: options, devices, configs, counters, chips");
	return EXIT_TOOL_FAILED;
}

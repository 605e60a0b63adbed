/* SPDX-License-Identifier: MIT */
/* computeprof flame: makes a flame graph of traces. */
#include "base/say.h"
#include "cli/command.h"
#include "cli/print/export.h"
#include "view/view.h"

#define DEFAULT_NAME "merged_trace.folded"

int flame_command(const struct flags *flags)
{
	struct flags named = *flags;
	const char **output = &named.value[FLAG_OUTPUT];
	const struct view *view;

	if (!flags->argument_count) {
		say("flame needs a trace; see 'computeprof flame --help'");
		return EXIT_TOOL_FAILED;
	}
	if (!*output)
		*output = DEFAULT_NAME;
	view = view_find(*output);
	if (view && view->of_stacks)
		return export_print(view, &named);
	say("unknown format of '%s': the name must end in one of .folded .svg .pb.gz "
	    ".speedscope.json",
	    *output);
	return EXIT_TOOL_FAILED;
}

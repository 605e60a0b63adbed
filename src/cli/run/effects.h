/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_EFFECTS_H
#define CLI_RUN_EFFECTS_H

#include "cli/flag.h"
#include "settings/settings.h"

/* Finds options that would have no effect on the run. */
struct effects {
	bool enabled; /* any API is, */
	bool logged;  /* has a log, */
	bool sampled; /* or has samples of the CPU */
};

/* Checks that the configuration file, which overrides the variables that options set, has no other
 * values. Returns 0, or -1 after one message. */
int effects_check_config(const struct flags *flags, const struct settings *settings);

/* Takes the settings of one API. */
void effects_note(struct effects *effects, const struct settings *settings);

/* After all APIs: returns 0, or -1 after one message if an option needs a log or samples, and there
 * are none. */
int effects_check(const struct flags *flags, const struct effects *effects);

#endif

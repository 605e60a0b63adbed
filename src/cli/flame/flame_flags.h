/* SPDX-License-Identifier: MIT */
#ifndef CLI_FLAME_FLAME_FLAGS_H
#define CLI_FLAME_FLAME_FLAGS_H

#include "cli/flag.h"

/* Sets flame_options from the options. Returns 0, or -1 after one message. */
int flame_flags(const struct flags *flags);

/* Replaces the words -gpu-only and -cpu-only among the options by those with two dashes, since
 * scripts for other flame graph profilers have them. */
void flame_spell(enum command_id command, int argc, char **argv);

#endif

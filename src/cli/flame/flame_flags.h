/* SPDX-License-Identifier: MIT */
#ifndef CLI_FLAME_FLAME_FLAGS_H
#define CLI_FLAME_FLAME_FLAGS_H

#include "cli/flag.h"

/* Sets flame_options from the options, and checks that the file of -o is one for them. Returns 0,
 * or -1 after one message. */
int flame_flags(const struct flags *flags);

/* Accepts the options of scripts for xpu-perf's profiler: -gpu-only and -cpu-only get a second
 * dash; -cuda-lib and -cupti-lib, with one dash or two, are not needed here and are removed with
 * their arguments. Returns the new argc. */
int flame_spell(enum command_id command, int argc, char **argv);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_NVPROF_NVPROF_H
#define CLI_NVPROF_NVPROF_H

#include <stdbool.h>

/*
 * The tool under the name nvprof or computeprof-nvprof, a link to it: it takes the options of
 * nvprof (nvprof_table.h) and writes no log unless COMPUTE_PROFILE_LOG names one.
 */

/* Returns true if `name`, argv[0] of the tool, is one of these names. */
bool nvprof_is_name(const char *name);

/* Replaces nvprof's command line by one of computeprof for running a program, allocated until the
 * process ends; sets the variables for options that computeprof does not have. Returns -1, or the
 * exit code if nothing else is to be done, as after --help or a message. */
int nvprof_translate(int *argc, char ***argv);

#endif

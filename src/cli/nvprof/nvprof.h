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

/* A command line of computeprof for running a program. `argv` is NULL-terminated; its words up to
 * number `made`, except the first one, are allocated. */
struct nvprof_line {
	int argc;
	char **argv;
	int made;
};

/* Makes that line from nvprof's, and sets the variables for options that computeprof does not have.
 * Returns -1, or the exit code if nothing else is to be done, as after --help or a message. In any
 * case nvprof_free frees the line. */
int nvprof_translate(struct nvprof_line *line, int argc, char **argv);
void nvprof_free(struct nvprof_line *line);

#endif

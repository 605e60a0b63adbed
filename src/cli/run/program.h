/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_PROGRAM_H
#define CLI_RUN_PROGRAM_H

#include "cli/run/elf.h"

/*
 * What the tool can learn of a program without running it: which file it is, through which
 * interpreters it runs, and whether anything keeps the profiler out of it.
 */
struct program {
	struct strbuf path;	/* the file that is executed in the end */
	struct strbuf scripts;	/* "SCRIPT is a script for INTERPRETER", one a line */
	struct strbuf obstacle; /* one sentence, or empty */
	struct elf elf;
};

/* `program` starts zeroed. 0, or -1 if there is an obstacle. */
int program_examine(struct program *program, const char *name);
void program_free(struct program *program);

/* Appends the path of the executable `name`, searched in PATH as execvp does; -1 if none. */
int program_find(struct strbuf *path, const char *name);

#endif

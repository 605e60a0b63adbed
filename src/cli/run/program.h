/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_PROGRAM_H
#define CLI_RUN_PROGRAM_H

#include "cli/run/elf.h"

/*
 * Examines a program without running it: the file, its interpreters, and whether the profiler can
 * be loaded into it.
 */
struct program {
	struct strbuf path;	/* the file that is executed in the end */
	struct strbuf scripts;	/* "SCRIPT is a script for INTERPRETER", one per line */
	struct strbuf obstacle; /* one sentence, or empty */
	struct elf elf;
};

/* `program` starts zeroed. Returns 0, or -1 with `obstacle` set. */
int program_examine(struct program *program, const char *name);
void program_free(struct program *program);

/* Appends the path of the executable `name`, searched in PATH as execvp does. Returns -1 if there
 * is none. */
int program_find(struct strbuf *path, const char *name);

#endif

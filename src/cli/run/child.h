/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_CHILD_H
#define CLI_RUN_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Runs the program and ends in the same way as the program. */
struct child {
	uint64_t limit; /* input: time limit in nanoseconds, 0: none */
	bool late;      /* it was ended because the limit had passed (cli/run/timeout.h) */
	pid_t pid;  /* 0: no process was made */
	int error;  /* errno of a failed exec, or 0 */
	int status; /* wait status, as of waitpid */
};

/*
 * Runs `argv` with the environment as it is and waits for it. Signals that other processes send to
 * the tool meanwhile are passed on to it. An alarm or interval timer of the tool becomes the
 * child's.
 * 0, or -1 with errno set when there could be no child.
 */
int child_run(char **argv, struct child *child);

/* Prints why the program called `name` could not be executed, and which command may be meant. */
void child_say_error(const struct child *child, const char *name);

/* Returns the exit code for `status`. If the child was killed by a signal, the tool ends itself by
 * the same signal, so that a shell sees the same status as without the tool. */
int child_exit_code(int status);

#endif

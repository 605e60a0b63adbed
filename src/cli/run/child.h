/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_CHILD_H
#define CLI_RUN_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Running the program, and ending as it did. */
struct child {
	uint64_t limit; /* set before: how many nanoseconds it may run, 0: any number */
	bool late;      /* it was ended since that was over (cli/run/limit.h) */
	pid_t pid;  /* 0: there is none */
	int error;  /* why it could not be executed (errno), or 0 */
	int status; /* how it ended, as waitpid tells it */
};

/*
 * Runs `argv` with the environment as it is and waits for it. Signals that other processes send to
 * the tool meanwhile are passed on to it. An alarm or interval timer of the tool becomes the
 * child's.
 * 0, or -1 with errno set when there could be no child.
 */
int child_run(char **argv, struct child *child);

/* The exit code to return for `status`. If the child died by a signal, so does the tool: a shell
 * then sees what it would have seen without it. */
int child_exit_code(int status);

#endif

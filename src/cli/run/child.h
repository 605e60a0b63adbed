/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_CHILD_H
#define CLI_RUN_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Runs the program and ends in the same way as the program. */
struct child {
	uint64_t limit; /* input: time limit in nanoseconds, 0: none */
	bool late;      /* it was ended because the limit had passed (cli/run/limit.h) */
	pid_t pid;  /* 0: no process was made */
	int error;  /* errno of a failed exec, or 0 */
	int status; /* wait status, as of waitpid */
};

/*
 * Runs `argv` in the current environment and waits for it. Meanwhile SIGINT, SIGQUIT, SIGTERM,
 * SIGHUP, SIGUSR1, SIGUSR2 and SIGCONT are passed on to it, except those from the terminal, which
 * reach both processes.
 * Returns 0, or -1 with errno set if no process could be made.
 */
int child_run(char **argv, struct child *child);

/* Returns the exit code for `status`. If the child was killed by a signal, the tool ends itself by
 * the same signal, so that a shell sees the same status as without the tool. */
int child_exit_code(int status);

#endif

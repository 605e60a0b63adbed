/* SPDX-License-Identifier: MIT */
#ifndef GPU_PROCESS_H
#define GPU_PROCESS_H

#include <stdbool.h>

/* Runs a program in its own process group, with a time limit. */
struct process {
	const char *folder; /* working directory; its files `out` and `err` get the output */
	char **arguments;   /* [0] is its path */
	char **environment;
	double limit; /* seconds */
	bool plain;   /* as the user nobody instead of root; nobody becomes the owner of the
			 folder */
};

struct outcome {
	int status; /* as of waitpid */
	bool late;  /* it was killed */
	double seconds;
	double end; /* CLOCK_MONOTONIC, in seconds */
	long resident; /* peak in KiB */
};

/* The status is 127 << 8 if the program cannot be started, as in a shell. */
struct outcome process_run(const struct process *process);

/* Returns true if a user other than root can use this file. */
bool process_plain_can(const char *path, int mode);

/* Returns "exit code 3" or "signal 9", in a static buffer. */
const char *process_text(int status);

#endif

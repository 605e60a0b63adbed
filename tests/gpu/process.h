/* SPDX-License-Identifier: MIT */
#ifndef GPU_PROCESS_H
#define GPU_PROCESS_H

#include <stdbool.h>

/* Runs a program in a process group of its own, with an end to its time. */
struct process {
	const char *folder; /* to be in; its files `out` and `err` take what it writes */
	char **arguments;   /* [0] is its path */
	char **environment;
	double limit; /* seconds */
	bool plain;   /* not as root, but as nobody; the folder gets to be theirs */
};

struct outcome {
	int status; /* as of waitpid */
	bool late;  /* had to be killed */
	double seconds;
	long resident; /* KiB at the most */
};

/* What could not be started has status 127 << 8, as in a shell. */
struct outcome process_run(const struct process *process);

/* Whether a plain user can use this file. Anybody who is not root is one. */
bool process_plain_can(const char *path, int mode);

/* "exit code 3", "signal 9", in one buffer for all. */
const char *process_text(int status);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef APP_NUMBERED_H
#define APP_NUMBERED_H

#include "opencl.h"

/*
 * Commands that are distinguishable in a log: number N of a queue copies N bytes, so a test detects
 * missing and duplicate ones. tests/faults/faults.sh reads such logs.
 */
enum { NUMBERED_LIMIT = 1 << 16 };

struct numbered {
	cl_command_queue queue;
	cl_mem buffer;
	int made; /* commands */
};

/* Call once per process, before all other functions; a forked child may call it again. */
void numbered_open(void);
/* Makes a queue. Each is used by one thread at a time. */
void numbered_begin(struct numbered *numbered);
/* The same in its own context. */
void numbered_begin_apart(struct numbered *numbered);
/* Enqueues `count` more commands, which may still run when this returns. Does not allocate. */
void numbered_copy(struct numbered *numbered, int count);
/* Waits until all are complete. */
void numbered_finish(struct numbered *numbered);
/* Prints on stdout that `count` more rows are expected. */
void numbered_say(int count);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef APP_NUMBERED_H
#define APP_NUMBERED_H

#include "opencl.h"

/*
 * Commands that can be told apart in a log: number N of a queue copies N bytes. So a test sees
 * which one is missing, or there twice. tests/faults/faults.sh reads such logs.
 */
enum { NUMBERED_LIMIT = 1 << 16 };

struct numbered {
	cl_command_queue queue;
	cl_mem buffer;
	int made; /* commands */
};

/* Once a process, before all else; a forked child may do it again. */
void numbered_open(void);
/* A queue of its own. Each is used by one thread at a time. */
void numbered_begin(struct numbered *numbered);
/* The same in a context of its own. */
void numbered_begin_apart(struct numbered *numbered);
/* `count` more commands; they may still run when this returns. Allocates nothing by itself. */
void numbered_copy(struct numbered *numbered, int count);
/* Until all of them are over. */
void numbered_finish(struct numbered *numbered);
/* Tells on stdout that `count` more rows are to be expected. */
void numbered_say(int count);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * A program that is run by the library in a program's process, without a shell. The program does
 * not notice it: it raises no SIGCHLD and wait() does not return it. It has no file of the
 * program's and a process group of its own. Signals are blocked, except those of errors, and
 * ignored if the program ignores them: it has to change that if it needs them.
 */
struct child {
	const char *path;
	char *const *arguments;	  /* the first one is its name; the last one is NULL */
	char *const *environment; /* the last one is NULL */
	const void *input;
	size_t input_size;
	size_t output_most; /* bytes of the output */
	uint64_t limit;	    /* ns until it is ended */
};

/* Runs it to its end and appends what it writes. Returns its exit code; -1 with the reason, words
 * without a full stop, in place of its messages. errno is kept. Not for signal handlers. */
int child_run(const struct child *child, struct strbuf *output, struct strbuf *messages);

#endif

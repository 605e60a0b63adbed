/* SPDX-License-Identifier: MIT */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include "base/strbuf.h"

/*
 * Loads vendor libraries in a child process. If a library crashes, hangs, prints or leaves threads
 * behind, the tool itself goes on.
 */

/*
 * Runs `function` in a child without the variables of the profiler and other injected tools. Text
 * that the function appends to `out` is appended to `out` here. Returns the function's result (0 to
 * 100); if the child died, -1 with a sentence in `out`.
 */
int sandbox_run(int (*function)(struct strbuf *out, const char *argument), const char *argument,
	      struct strbuf *out);

/* For sandbox_run: loads the library `argument` by dlopen. Appends the path that it was loaded from
 * and returns 0, or appends the reason and returns 1. */
int sandbox_load(struct strbuf *out, const char *argument);

/* In the child: returns the path of the file that `handle`, from dlopen, was loaded from. */
const char *sandbox_path(void *handle);

#endif

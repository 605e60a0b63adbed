/* SPDX-License-Identifier: MIT */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include "base/strbuf.h"

/*
 * Vendor libraries are loaded in a child process only: one that crashes, hangs, prints or leaves
 * threads behind then costs one line of the answer and not the tool.
 */

/*
 * Runs `function` in a child without the profiler's and other tools' doors in its environment.
 * What it appends to `out` arrives at the end of `out` here, and its result (0 to 100) is
 * returned; -1, with a sentence in `out` instead, if the child died.
 */
int sandbox_run(int (*function)(struct strbuf *out, const char *argument), const char *argument,
	      struct strbuf *out);

/* For sandbox_run: dlopens `argument`. 0 with the path it was loaded from, or 1 with the reason. */
int sandbox_load(struct strbuf *out, const char *argument);

/* In a child: the path of the file that `handle`, from dlopen, was loaded from. */
const char *sandbox_path(void *handle);

#endif

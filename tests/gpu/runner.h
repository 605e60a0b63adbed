/* SPDX-License-Identifier: MIT */
#ifndef GPU_RUNNER_H
#define GPU_RUNNER_H

#include "parts.h"

/*
 * Runs parts and prints their results. Its parameters are in the environment:
 *	COMPUTEPROF_LIBRARY	the profiler; without it each part only runs alone
 *	COMPUTEPROF_PRELOAD	the value of LD_PRELOAD, if more than the library
 *	COMPUTEPROF		the tool, for the parts that need it
 *	CONFORMANCE_SLOW	all time limits are multiplied with this
 *	CONFORMANCE_SECONDS	seconds after which nothing is waited for any more
 * The parts themselves read
 *	CONFORMANCE_LAUNCHES	the number of launches of T18 (10000)
 *	COMPUTEPROF_CUPTI	the libcupti that T3 opens, besides the profiler
 */

/* Makes the folders in the current directory. Returns 0, or 1 if a result was not ok. */
int runner_run(const struct part *const *list);

/* As runner_run, for the files of an earlier run. */
int runner_check(const struct part *part);

/* Returns the path of a file beside this program, or where libtool puts it; NULL if there is none.
 * The caller frees it. */
char *runner_beside(const char *name);

#endif

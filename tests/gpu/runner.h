/* SPDX-License-Identifier: MIT */
#ifndef GPU_RUNNER_H
#define GPU_RUNNER_H

#include "parts.h"

/*
 * Runs parts and prints their results. What it needs to know comes by the environment:
 *	COMPUTEPROF_LIBRARY	the profiler; without it each part only runs alone
 *	COMPUTEPROF_PRELOAD	what LD_PRELOAD is to be, if more than the library
 *	COMPUTEPROF		the tool, for the parts that need it
 *	CONFORMANCE_SLOW	all time limits are multiplied with this
 *	CONFORMANCE_SECONDS	after so many nothing is waited for any more
 * The parts themselves read
 *	CONFORMANCE_LAUNCHES	how many launches T18 makes (10000)
 *	COMPUTEPROF_CUPTI	which libcupti T3 opens, besides the profiler
 */

/* The folders are made in the current directory. 0, or 1 if a result was not ok. */
int runner_run(const struct part *const *list);

/* The same, of files that an earlier run has left. */
int runner_check(const struct part *part);

/* Path of a file that lies beside this program, or where libtool puts it; NULL if there is none. To
 * be freed. */
char *runner_beside(const char *name);

#endif

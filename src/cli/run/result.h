/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_RESULT_H
#define CLI_RUN_RESULT_H

#include <stdint.h>

#include "cli/flag.h"
#include "cli/run/artifacts.h"
#include "cli/run/child.h"

/* What a run has written. */
struct result {
	const struct flags *flags;
	const struct artifacts *artifacts;
	const struct child *child;
	bool traced;   /* there are traces or running totals for the tool's own outputs */
	int64_t since; /* start of the run, CLOCK_REALTIME ns; 0: the program was not run */
};

/* Names the files that the run has written, on stderr, or says why there are none. */
void result_tell(const struct result *result, struct artifact_lists *lists);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SWEEPS_SWEEP_H
#define TESTS_SWEEPS_SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/strbuf.h"

/* What one run of the program has left; it ran in the folder "run", its output is beside that. */
struct outcome {
	int status; /* of waitpid */
	uint32_t pid;
	struct strbuf out; /* its stdout */
	struct strbuf said; /* stderr */
	char **rows; /* of all logs, recovery included, sorted, without times of this very run */
	uint64_t row_count;
	uint64_t lost;	 /* records said to be lost, in the log */
	uint64_t traced; /* records in the trace */
	uint64_t untraced; /* records said to be missing there */
	uint64_t untimed; /* rows said to have no gputime */
	bool off; /* it was said that there is no log at all */
	bool poor; /* or that there is no memory */
	struct strbuf wrong; /* what is wrong with the files by themselves, a line each */
};

/* Runs the program, with the variable LD_PRELOAD as `preload` unless that is NULL. */
void outcome_of_run(struct outcome *outcome, char **program, const char *preload);
void outcome_free(struct outcome *outcome);

/* Prints a line for all that is not as it has to be after a run in which something failed:
 * `reference` is one in which nothing did. Whether there was anything. */
bool outcome_is_wrong(const struct outcome *outcome, const struct outcome *reference,
		      const char *what);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SWEEPS_SWEEP_H
#define TESTS_SWEEPS_SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/strbuf.h"

/* The results of one run of the program. It ran in the folder "run"; its output is beside that. */
struct outcome {
	int status; /* of waitpid */
	uint32_t pid;
	struct strbuf out; /* its stdout */
	struct strbuf said; /* stderr */
	char **rows; /* of all logs, recovery included, sorted, without times of this run */
	uint64_t row_count;
	uint64_t lost;	 /* records reported as lost, in the log */
	uint64_t traced; /* records in the trace */
	uint64_t untraced; /* records reported as missing there */
	uint64_t untimed; /* rows reported to have no gputime */
	bool off; /* a message: there is no log */
	bool poor; /* a message: out of memory */
	struct strbuf wrong; /* errors in the files themselves, one per line */
};

/* Runs the program, with the variable LD_PRELOAD as `preload` unless that is NULL. */
void outcome_of_run(struct outcome *outcome, char **program, const char *preload);
void outcome_free(struct outcome *outcome);

/* Prints a line for each error after a run in which a call failed; in the run `reference` none did.
 * Returns true if there was an error. */
bool outcome_is_wrong(const struct outcome *outcome, const struct outcome *reference,
		      const char *what);

#endif

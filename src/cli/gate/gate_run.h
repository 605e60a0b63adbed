/* SPDX-License-Identifier: MIT */
#ifndef CLI_GATE_GATE_RUN_H
#define CLI_GATE_GATE_RUN_H

#include "base/strbuf.h"
#include "cli/flag.h"

/*
 * Runs programs with the profiler, each in a process of its own. Their standard input, their
 * standard output and their logs are /dev/null. Between gate_run_begin and gate_run_end a signal
 * that ends programs (SIGINT, SIGTERM, SIGHUP, SIGQUIT) ends the present run.
 */
struct gate_run {
	const struct flags *flags;
	struct strbuf folder; /* a temporary one */
	bool has_run;	      /* a program was run */
	bool *unstarted;      /* in shared memory: the program could not be started */
};

/* Makes the folder. Returns 0, or -1 after a message. */
int gate_run_begin(struct gate_run *run, const struct flags *flags);

/* Removes it. If a signal has come, ends the tool by the same signal. */
void gate_run_end(struct gate_run *run);

/* Runs the program, described in messages as `which`, and appends its totals as JSON. Returns 0, or
 * the exit code of the tool after a message. */
int gate_run(struct gate_run *run, char **argv, const char *which, struct strbuf *summary);

#endif

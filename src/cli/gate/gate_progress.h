/* SPDX-License-Identifier: MIT */
#ifndef CLI_GATE_GATE_PROGRESS_H
#define CLI_GATE_GATE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* A line on stderr, if that is a terminal, with the number of the present run and the time that is
 * left, estimated from the runs before. */
struct gate_progress {
	unsigned total; /* set first: runs to be made */
	unsigned done;
	uint64_t started; /* CLOCK_MONOTONIC ns; 0: not yet */
	bool shown;
};

/* Another run begins; `which` describes it. */
void gate_progress_show(struct gate_progress *progress, const char *which);

/* Erases the line, before a message. */
void gate_progress_end(struct gate_progress *progress);

#endif

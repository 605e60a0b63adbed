/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_COST_H
#define GPU_PART_COST_H

#include <stddef.h>
#include <stdint.h>

#include "parts.h"

/* T18: the cost of profiling, with and without counters. */
int cost_launches(const struct part *part, const char *step);
int cost_graph(const struct part *part, const char *step);

void check_cost(const struct run *run);
void check_cost_graph(const struct run *run);

/* In the program: reports that `count` operations were done since `start` (work_now). */
void cost_timed(uint64_t start, size_t count);

/* Prints the times of both runs for each measured operation; `what` is the operation's name. */
void cost_note(const struct run *run, const char *what);

#endif

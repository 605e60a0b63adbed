/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_COST_H
#define GPU_PART_COST_H

#include <stddef.h>
#include <stdint.h>

#include "parts.h"

/* T18: what being profiled costs, with and without counters. */
int cost_launches(const struct part *part, const char *step);
int cost_graph(const struct part *part, const char *step);

void check_cost(const struct run *run);
void check_cost_graph(const struct run *run);

/* In the program: that `count` of something were done since `start` (work_now). */
void cost_timed(uint64_t start, size_t count);

/* What a run took alone and profiled, by what was timed: that of `what`, of which it has some. */
void cost_note(const struct run *run, const char *what);

#endif

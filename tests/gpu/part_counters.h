/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_COUNTERS_H
#define GPU_PART_COUNTERS_H

#include "parts.h"

/* T15: counters of kernels with known counts (kernels.h). */
int counters_shapes(const struct part *part, const char *step);
int counters_threads(const struct part *part, const char *step);
int counters_instructions(const struct part *part, const char *step);
int counters_requests(const struct part *part, const char *step);
int counters_sectors(const struct part *part, const char *step);
int counters_shared(const struct part *part, const char *step);
int counters_kinds(const struct part *part, const char *step);
int counters_one(const struct part *part, const char *step);
int counters_memory(const struct part *part, const char *step);

/* T16: the assignment of values to launches. */
int order_one(const struct part *part, const char *step);
int order_pauses(const struct part *part, const char *step);
int order_contexts(const struct part *part, const char *step);
int order_threads(const struct part *part, const char *step);
int order_graph(const struct part *part, const char *step);
int order_windows(const struct part *part, const char *step);
int order_initialize(const struct part *part, const char *step);

void check_own(const struct run *run);
void check_own_or_said(const struct run *run);
void check_other_counters(const struct run *run);

/* T17: unavailable counters. */
int refused_all(const struct part *part, const char *step);
int refused_one(const struct part *part, const char *step);

void check_refusal(const struct run *run);

#endif

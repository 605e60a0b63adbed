/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_RANGEUSE_H
#define TESTS_UNIT_RANGEUSE_H

#include "backend/cuda/counters/engine.h"
#include "scripted_profiler.h"

/* The range engine with the Range Profiler of scripted_profiler.h, used as counters.c uses it. */
enum { USE_GIVEN = PLAY_RANGES };

extern struct engine_context contexts[PLAY_CONTEXTS];

/* The values delivered since the last check: the first value of each kernel. */
extern double given[USE_GIVEN];
extern size_t given_count;

/* A setup function: resets everything. */
int begin(void **state);

/* CUPTI's results. */
int enter(int context);
int leave(int context);
int pause_context(int context);

void start(int context);
void stop(int context);

/* Calls enter; then the kernels run. */
void launch(int context, double first, size_t count);

/* Calls leave for the complete launch, and pause, which delivers its values. */
void finish(int context);

/* Checks that exactly these kernels' values were delivered. */
void check(double first, size_t count);

/* Checks the calls of CUPTI since the last check. */
void check_calls(const char *calls);
void forget_calls(void);

#endif

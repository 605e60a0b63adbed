/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_RANGEUSE_H
#define TESTS_UNIT_RANGEUSE_H

#include "backend/cuda/counters/engine.h"
#include "rangeplay.h"

/* The range engine, over the Range Profiler of rangeplay.h, used as counters.c uses it. */
enum { USE_GIVEN = PLAY_RANGES };

extern struct engine_context contexts[PLAY_CONTEXTS];

/* What was given out since it was last asked about: the first of the kernels' values. */
extern double given[USE_GIVEN];
extern size_t given_count;

/* A setup function: nothing has happened yet. */
int begin(void **state);

/* CUPTI's results. */
int enter(int context);
int leave(int context);
int drain(int context);

void start(int context);
void stop(int context);

/* Enters, and the kernels run. */
void launch(int context, double first, size_t count);

/* Leaves, and that is all of the launch. */
void finish(int context);

/* That these kernels' values have been given out, and no others'. */
void check(double first, size_t count);

/* That CUPTI was called so since it was last asked about. */
void check_calls(const char *calls);
void forget_calls(void);

#endif

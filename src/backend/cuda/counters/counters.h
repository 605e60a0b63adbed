/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_COUNTERS_H
#define BACKEND_CUDA_COUNTERS_COUNTERS_H

#include "backend/cuda/calls.h"
#include "backend/cuda/cupti.h"

/*
 * Hardware counters of kernels: from the callbacks of launches to values that wait for their
 * records (counter_values.h). Nothing here is called unless counters are requested.
 *
 * Launches are measured one at a time: the launch lock is held from a launch's entry to its exit,
 * also during calls of CUPTI and the driver. No other lock is held during such calls.
 */

/* Registers a context that CUPTI has reported, or that a launch has used first. For a new device it
 * makes the plan, tries to measure, and reports the measured counters to the session. */
void counters_add_context(cuda_context context);

/* The context is being destroyed. */
void counters_context_ends(cuda_context context);

/* Call around each driver call that launches. */
void counters_enter(const struct cupti_call *call, enum call_kind kind);
void counters_leave(const struct cupti_call *call);

/* Call around the calls that begin and end a graph capture. Nothing is measured during a capture:
 * the engines' synchronization would invalidate it. */
void counters_capture(const struct cupti_call *call, enum call_kind kind);

/* Stops measuring until a launch finds profiling on again: the program has stopped it or has
 * changed the counters. */
void counters_pause(void);

/* Called on the writer thread in each round. With `all`, at exit, or half a minute after the last
 * launch, stops measuring to get the last values: those of each launch come with the next one. */
void counters_fetch(bool all);

/* The program has changed the counters (cuProfilerInitialize): makes new plans for all known
 * devices. */
void counters_replan(void);

#endif

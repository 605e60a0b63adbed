/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_COUNTERS_H
#define BACKEND_CUDA_COUNTERS_COUNTERS_H

#include "backend/cuda/calls.h"
#include "backend/cuda/cupti.h"

/*
 * Hardware counters of kernels: from the callbacks of launches to values that wait for their rows
 * (counter_values.h). Where none is asked for, none of this is called.
 *
 * Launches are measured one at a time: the launch lock is held from a launch's entry to its exit.
 * It may be held while CUPTI and the driver are asked; no other lock is.
 */

/* CUPTI has told of a new context, or of a launch in one that was not told of: plans its device if
 * that is new, which tells the session what is measured there, and tries whether it can be. */
void counters_meet(cuda_context context);

/* The context is being destroyed. */
void counters_part(cuda_context context);

/* Around each call of the driver's that launches. */
void counters_enter(const struct cupti_call *call, enum call_kind kind);
void counters_leave(const struct cupti_call *call);

/* Around the calls that begin and end the capture of a graph. As long as one goes on nothing is
 * measured: what engines wait for would break it. */
void counters_capture(const struct cupti_call *call, enum call_kind kind);

/* Nothing is measured from here on, until a launch finds the profiler on again: the program has
 * stopped it, or wants other counters. */
void counters_pause(void);

/* On the writer thread, in each round: gives out values that are there though nobody has asked for
 * them; with `all`, because somebody is leaving, whatever it takes. */
void counters_fetch(bool all);

/* The program wants other counters (cuProfilerInitialize): plans all known devices anew. */
void counters_plan_again(void);

#endif

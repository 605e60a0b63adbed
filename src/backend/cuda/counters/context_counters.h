/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_CONTEXT_COUNTERS_H
#define BACKEND_CUDA_COUNTERS_CONTEXT_COUNTERS_H

#include <stdbool.h>

#include "backend/cuda/cupti.h"

/*
 * The contexts whose kernels are counted, and the engines that do it. Only for counters.c, which
 * holds its launch lock around all of this.
 */
struct counted;

/* The context; one that is new is met, see counters_meet. NULL if it is not to be counted. */
struct counted *context_counters_get(cuda_context handle);

/* A launch, of a kernel or of a graph. False if it is not measured. */
bool context_counters_enter(struct counted *context, uint32_t correlation, bool graph);

/* After context_counters_enter returned true. Unless `counted` its values are nobody's: it has
 * launched nothing, or others may be among them. */
void context_counters_leave(struct counted *context, bool counted);

/* Gives out what is there; with `all`, what is to be had. */
void context_counters_fetch(bool all);

/* Ends measuring until the next launch of each context. */
void context_counters_stop_all(void);

/* The context goes; or has gone, and its engine cannot be stopped any more. */
void context_counters_part(cuda_context handle);
void context_counters_forget(cuda_context handle);

/* Plans all known devices anew, by cuda_settings(). */
void context_counters_plan_again(void);

#endif

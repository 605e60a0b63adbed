/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_CONTEXT_COUNTERS_H
#define BACKEND_CUDA_COUNTERS_CONTEXT_COUNTERS_H

#include <stdbool.h>

#include "backend/cuda/cupti.h"

/*
 * The contexts whose kernels are measured, with their engines. Only for counters.c, which holds its
 * launch lock around all calls.
 */
struct counted;

/* Returns the context; a new one is registered, see counters_add_context. NULL if it is not
 * measured. */
struct counted *context_counters_get(cuda_context handle);

/* Marks the context as one in which CUPTI measures launches, before context_counters_enter. Returns
 * false if it is not measured. */
bool context_counters_activate(struct counted *context);

/* Call before a launch of a kernel or a graph. Returns false if it is not measured. */
bool context_counters_enter(struct counted *context, uint32_t correlation, bool graph);

/* Call after the launch if context_counters_enter returned true. Without `counted` the values are
 * dropped: nothing was launched, or they may include other kernels. */
void context_counters_leave(struct counted *context, bool counted);

/* Stops measuring in contexts whose last launch has no values yet. Stopping delivers the values. */
void context_counters_finish(void);

/* CUPTI measures no launches in the context, or with NULL in any, until the next measured one. */
void context_counters_pause(cuda_context handle);

/* Returns true if CUPTI measures launches in the context, or with NULL in any. Needs no lock. */
bool context_counters_is_active(cuda_context handle);

/* Stops measuring until the next launch in each context. */
void context_counters_stop_all(void);

/* Call the first while the context is being destroyed; the second if it has been destroyed already,
 * so its engine cannot be stopped. */
void context_counters_end(cuda_context handle);
void context_counters_forget(cuda_context handle);

/* Makes new plans for all known devices, from cuda_settings(). */
void context_counters_replan(void);

#endif

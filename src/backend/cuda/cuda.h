/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CUDA_H
#define BACKEND_CUDA_CUDA_H

#include <stdbool.h>

#include "backend/cuda/cupti.h"
#include "settings/settings.h"

/*
 * The CUDA back end. CUPTI is loaded when the program initializes the driver (injection.c), and
 * records the program's work.
 */

/* Called when the driver is initialized: reads the settings, and joins the session and CUPTI, once
 * per process. */
void cuda_attach(void);

/* What the user, or since then the program, asked for. Never changes, never goes. */
const struct settings *cuda_settings(void);

/* Returns true if they request counters. */
bool cuda_counts(void);

/* Whether this is the process that CUPTI was started in, and not a child that it has forked. */
bool cuda_is_ours(void);

/* Returns true if CUPTI may be called: it works, and this is not a forked child (in which it
 * hangs). */
bool cuda_is_here(void);

/* cuProfilerStart: what the device does is recorded from now on. */
void cuda_start(void);

/* cuProfilerStop: stops recording. */
void cuda_stop(void);

/* Starts or stops recording for a control call of the program (session/control.h). */
void cuda_control(bool on);

/* cuProfilerInitialize: changes the settings of the log. `context` is the thread's, or NULL. */
void cuda_initialize(const struct cupti_profiler_initialize *wish, cuda_context context);

/* What the program wants now holds from here on: the session has no more of what was before. */
void cuda_take_over(const struct settings *changed);

/* CUPTI has failed: it is not called any more. */
void cuda_fail(void);

#endif

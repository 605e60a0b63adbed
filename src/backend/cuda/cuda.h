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

/* Reads what the user asks for, and gives it. */
const struct settings *cuda_load_settings(void);

/* What the user, or since then the program, asked for. Never changes, never goes. */
const struct settings *cuda_settings(void);

/* Returns true if they request counters. */
bool cuda_counts(void);

/* There is room for values. */
void cuda_set_counts(void);

/* Counters are asked for: hears of launches from here on. What that needs stays when nobody wants
 * them any more. */
void cuda_expect_counters(const struct settings *asked);

/* Whether this is the process that CUPTI was started in, and not a child that it has forked. */
bool cuda_is_ours(void);

/* Returns true if CUPTI may be called: it works, and this is not a forked child (in which it
 * hangs). */
bool cuda_is_here(void);

/* CUPTI was started in this process, or works no more. */
void cuda_set_here(bool is_here);

/* cuProfilerStart: what the device does is recorded from now on. */
void cuda_start(void);

/* cuProfilerStop: stops recording. */
void cuda_stop(void);

/* Starts or stops recording for a control call of the program (session/control.h). */
void cuda_control(bool on);

/* cuProfilerInitialize: changes the settings of the log. `context` is the thread's, or NULL. */
void cuda_initialize(const struct cupti_profiler_initialize *wish, cuda_context context);

/* These hold from here on. */
void cuda_set_settings(const struct settings *changed);

/* CUPTI has failed: it is not called any more. */
void cuda_fail(void);

#endif

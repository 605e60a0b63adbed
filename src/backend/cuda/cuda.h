/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CUDA_H
#define BACKEND_CUDA_CUDA_H

#include <stdbool.h>

#include "backend/cuda/cupti.h"
#include "settings/settings.h"

/*
 * The CUDA back end. CUPTI is opened when the program starts the driver (injection.c), and records
 * what it does.
 */

/* The driver is there: reads the settings, and joins the session and CUPTI, once per process. */
void cuda_attach(void);

/* Reads what the user asks for, and gives it. */
const struct settings *cuda_load_settings(void);

/* What the user, or since then the program, asked for. Never changes, never goes. */
const struct settings *cuda_settings(void);

/* Whether that includes counters. */
bool cuda_counts(void);

/* There is room for values. */
void cuda_set_counts(void);

/* Counters are asked for: hears of launches from here on. What that needs stays when nobody wants
 * them any more. */
void cuda_expect_counters(const struct settings *asked);

/* Whether this is the process that CUPTI was started in, and not a child that it has forked. */
bool cuda_is_ours(void);

/* Whether CUPTI may be asked: it works, and the process is ours (in a child it hangs). */
bool cuda_is_here(void);

/* CUPTI was started in this process, or works no more. */
void cuda_set_here(bool is_here);

/* cuProfilerStart: what the device does is recorded from now on. */
void cuda_start(void);

/* cuProfilerStop: and now it is not. */
void cuda_stop(void);

/* Either of them, because of what the program asks for (session/control.h). */
void cuda_control(bool on);

/* cuProfilerInitialize: the program says what is recorded, and where to. `context` is the thread's,
 * or NULL. */
void cuda_initialize(const struct cupti_profiler_initialize *wish, cuda_context context);

/* These hold from here on. */
void cuda_set_settings(const struct settings *changed);

/* CUPTI has given up: it is asked for nothing any more. */
void cuda_fail(void);

#endif

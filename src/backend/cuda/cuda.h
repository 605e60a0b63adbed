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

/* The start and end of cuda_attach (CLOCK_MONOTONIC ns), within the program's first cuInit.
 * cuda_attach_times returns false if they are not set yet. */
void cuda_set_attach_times(uint64_t begun, uint64_t ended);
bool cuda_attach_times(uint64_t *begun, uint64_t *ended);

/* Reads and returns the settings of the user. */
const struct settings *cuda_load_settings(void);

/* Returns the settings of the user, or the later ones of the program. They are constant and never
 * freed. */
const struct settings *cuda_settings(void);

/* Returns true if the settings request counters and there is memory for their values. */
bool cuda_measures_counters(void);

/* Called when there is memory for the values of counters; before, cuda_measures_counters returns
 * false. The other returns true from then on, also while no counters are requested. */
void cuda_set_counter_memory(void);
bool cuda_has_counter_memory(void);

/* Subscribes to launches for the counters of these settings. The subscription is kept when counters
 * are disabled later. */
void cuda_expect_counters(const struct settings *asked);

/* Returns true in the process in which CUPTI was started, and false in a forked child. */
bool cuda_started_here(void);

/* Returns true if CUPTI may be called: it works, and this is not a forked child (in which it
 * hangs). */
bool cuda_is_usable(void);

/* Called when CUPTI was started in this process (true) or cannot be used (false). */
void cuda_set_usable(bool is_here);

/* cuProfilerStart: starts to record device work. */
void cuda_start(void);

/* cuProfilerStop: stops recording. */
void cuda_stop(void);

/* Starts or stops recording for a control call of the program (session/control.h). */
void cuda_control(bool on);

/* cuProfilerInitialize: changes the settings of the log. `context` is the thread's, or NULL. */
void cuda_initialize(const struct cupti_profiler_initialize *wish, cuda_context context);

/* Replaces the settings in force. */
void cuda_set_settings(const struct settings *changed);

/* Called when CUPTI has failed: it is not called any more, and a message is printed once. */
void cuda_fail(void);

#endif

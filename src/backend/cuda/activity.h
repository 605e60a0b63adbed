/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_ACTIVITY_H
#define BACKEND_CUDA_ACTIVITY_H

#include <stdbool.h>

/*
 * What CUPTI records: device work, and of the program's calls those that make some (calls.h), or
 * all of them.
 * Nothing of ours runs in a launch but what CUPTI does by itself.
 */

/* The contexts, from now on: they tell which stream is the NULL stream. */
void activity_watch_contexts(void);

/* Calls and device work, from now on; what CUPTI refuses is said once, and the rest goes on.
 * `concurrent`: kernels may overlap; else CUPTI runs them one at a time. `all`: all calls, and
 * waits, streams, allocations and overheads. -1 if kernels cannot be recorded at all. */
int activity_start(bool concurrent, bool all);

bool activity_is_on(void);

/* Whether it was started so. */
bool activity_has_all(void);

/* Gives out what there is, and records no more. For callbacks of the driver's own calls only. */
void activity_stop(void);

/* How often it was stopped. */
unsigned activity_stops(void);

#endif

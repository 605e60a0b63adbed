/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_ACTIVITY_H
#define BACKEND_CUDA_ACTIVITY_H

#include <stdbool.h>

/*
 * The records of CUPTI: device work, and the program's calls that make work (calls.h), or all
 * calls. CUPTI records launches by itself; no code of the library runs in them.
 */

/* Records contexts from now on: their records have the id of the NULL stream. */
void activity_watch_contexts(void);

/* Records calls and device work from now on. Kinds that CUPTI refuses are reported once; the others
 * are recorded. `concurrent`: kernels may overlap; else CUPTI runs them one at a time. `all`: all
 * calls, and waits, streams, allocations and overheads; with `managed`, the events of managed
 * memory, too. Returns -1 if kernels cannot be recorded at all. */
int activity_start(bool concurrent, bool all, bool managed);

/* Records managed memory from now on if that had to wait for the start of the driver. With
 * `is_last`, reports that it was not recorded. */
void activity_continue(bool is_last);

bool activity_is_on(void);

/* Return true if activity_start had `all` or `managed`. */
bool activity_has_all(void);
bool activity_has_managed(void);

/* Flushes all records and stops recording. Only for callbacks of the driver's own calls. */
void activity_stop(void);

/* Returns the number of calls of activity_stop. */
unsigned activity_stops(void);

#endif

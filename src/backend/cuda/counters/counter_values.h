/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_COUNTER_VALUES_H
#define BACKEND_CUDA_COUNTERS_COUNTER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The counters of kernels on their way from the engines, in the threads that launch, to match.c,
 * which puts them into the kernels' rows: by correlation id. All functions may be called by any
 * thread; they take a lock of their own, for a moment. A forked child has no use for any of them:
 * forks do not take that lock, which would come before the session's, and leave it as it is.
 */

/* 0, or -1 without memory. Once, before the first launch. */
int counter_values_init(void);

/* The launch `correlation` is measured: its rows wait for their values. */
void counter_values_expect(uint32_t correlation);

/* The values of its next kernel. */
void counter_values_add(uint32_t correlation, const double *values, size_t count);

/* It has all that it will have. */
void counter_values_complete(uint32_t correlation);

enum counter_values_state { MEASURED_NOT, MEASURED_EXPECTED, MEASURED_COMPLETE };

enum counter_values_state counter_values_state(uint32_t correlation);

/* Whether that was less than this ago (ns). */
bool counter_values_is_fresh(uint32_t correlation, uint64_t patience);

/* The values that wait are of no use. */
void counter_values_drop(uint32_t correlation);

/* How many kernels' values wait for their rows. */
size_t counter_values_left(uint32_t correlation);

/* Takes the values of its next kernel into `values`, which has room for CHOICE_LIMIT; how many, 0
 * if there are none. */
size_t counter_values_take(uint32_t correlation, double *values);

/* The values of all launches until now are of no use any more: other ones are counted. */
void counter_values_forget(void);

/* Whether any launch has waited for longer than this (ns). */
bool counter_values_is_late(uint64_t patience);

#endif

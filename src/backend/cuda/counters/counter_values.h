/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_COUNTER_VALUES_H
#define BACKEND_CUDA_COUNTERS_COUNTER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The counter values of kernels, by correlation: from the engines, on the launching threads, to
 * match.c, which adds them to the kernels' records. All functions are thread-safe; they hold a lock
 * briefly. A forked child must not call them: forks do not take that lock, which would precede the
 * session's, so the child may find it taken.
 */

/* Call once, before the first launch. Returns 0, or -1 without memory. */
int counter_values_init(void);

/* The launch `correlation` is measured: its records wait for values. */
void counter_values_expect(uint32_t correlation);

/* Adds the values of the launch's next kernel. */
void counter_values_add(uint32_t correlation, const double *values, size_t count);

/* The launch gets no more values. */
void counter_values_complete(uint32_t correlation);

enum counter_values_state { MEASURED_NOT, MEASURED_EXPECTED, MEASURED_COMPLETE };

enum counter_values_state counter_values_state(uint32_t correlation);

/* Returns true if the state of the launch changed less than `patience` ns ago. */
bool counter_values_is_fresh(uint32_t correlation, uint64_t patience);

/* Drops the stored values of the launch. */
void counter_values_drop(uint32_t correlation);

/* Returns the number of kernels whose values are stored. */
size_t counter_values_left(uint32_t correlation);

/* Moves the values of the launch's next kernel to `values`, which has room for
 * COUNTER_REQUESTS_MOST. Returns their number, 0 if there are none. */
size_t counter_values_take(uint32_t correlation, double *values);

/* Drops the values of all launches so far, because other counters are measured from now on. */
void counter_values_forget(void);

/* Returns true if any launch has waited for longer than `patience` ns. */
bool counter_values_is_late(uint64_t patience);

#endif

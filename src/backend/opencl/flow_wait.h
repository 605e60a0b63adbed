/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_FLOW_WAIT_H
#define BACKEND_OPENCL_FLOW_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Set from the begin to the end of the data flow. */
extern atomic_bool flow_on;
static inline bool flow_is_on(void)
{
	return atomic_load_explicit(&flow_on, memory_order_acquire);
}

/* Ends it, and says that a command has not ended in time. */
void flow_give_up(void);

/* The data flow waits for nothing longer than that: drivers' own waits have no limit. */
#define FLOW_PATIENCE UINT64_C(10000000000) /* ns */

/* Sleeps while the word has this value, or shorter; `limit` is in CLOCK_MONOTONIC ns. Returns false
 * if it is past the limit, or the data flow has ended. errno is kept, since a call of the program
 * may sleep. flow_wake: wakes one sleeper. */
bool flow_sleep(_Atomic uint32_t *word, uint32_t value, uint64_t limit);
void flow_wake(_Atomic uint32_t *word);

#endif

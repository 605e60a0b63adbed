/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_API_EVENT_H
#define BACKEND_CUDA_API_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * The program's calls, as events of the trace. A call is held until the records that it made are
 * there (which are match.c's), since it tells their correlations, and a driver's until it is
 * certain that it was not made inside of a call of the runtime: that one is the program's then, and
 * the driver's is no call. What is held is bounded: who comes SLOTS calls later takes the place,
 * and sends out what is there as it is. By one thread at a time, under the session's drain lock.
 */

/* Whether events are asked for, as the settings say when a round begins (source.c). Without it
 * nobody calls what stands below: each record would take longer. */
extern bool api_event_wanted;

/* One of CUPTI's records, with or without success. */
void api_event_add(const struct cupti_api *call);

/* The call has made the record that the session takes next. Of several those count whose own
 * correlations follow each other, until the call goes out. */
void api_event_made(uint32_t correlation);

/* The call has made work that is no record. */
void api_event_nothing(uint32_t correlation);

/* Sends out what needs not be held any more; with `all`, everything. How many that were. */
uint64_t api_event_hand_on(bool all);

/* Whose call that was, and when. */
struct called {
	uint32_t thread;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
};

/* False as long as it is not known. */
bool api_event_find(uint32_t correlation, struct called *called);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_API_EVENT_H
#define BACKEND_CUDA_API_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * The program's calls, as events of the trace. A call is held until match.c has delivered its
 * records, since the event has their correlations. A call of the driver is also held until it is
 * certain that it was not made inside a call of the runtime API, which then is the program's call
 * instead. At most SLOTS calls are held: a later call with the same slot sends out the held one as
 * it is. Used by one thread at a time, under the session's drain lock.
 */

/* True if events of calls are requested, according to the settings at the start of a round
 * (source.c). If not, the functions below are not called, which makes each record cheaper. */
extern bool api_event_wanted;

/* Adds a call that CUPTI has recorded, successful or failed. */
void api_event_add(const struct cupti_api *call);

/* The call has made the next record that session_take takes. Only records with consecutive
 * correlations are counted, until the call is sent out. */
void api_event_made(uint32_t correlation);

/* The call has made work that is no record. */
void api_event_no_record(uint32_t correlation);

/* Sends out calls that need not be held longer; with `all`, every call. Returns their number. */
uint64_t api_event_deliver(bool all);

/* Returns the start of the earliest held call that is no launch of a kernel, UINT64_MAX without
 * one. */
uint64_t api_event_oldest(void);

/* The thread and the times of a call. */
struct called {
	uint32_t thread;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
};

/* Returns false if the call is not known yet. */
bool api_event_find(uint32_t correlation, struct called *called);

#endif

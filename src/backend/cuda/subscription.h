/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_SUBSCRIPTION_H
#define BACKEND_CUDA_SUBSCRIPTION_H

#include <stdbool.h>

#include "backend/cuda/calls.h"
#include "backend/cuda/cupti.h"

/* Subscribes `called` to what is made and taken down, and to the calls with which a program
 * controls its profiler. None of these is made for a launch. CUPTI_DONE or its error; with an error
 * there is no subscription. */
int subscription_begin(cupti_callback_function *called);
void subscription_end(void);

/* Launches from now on, too, and contexts that go, for counters.h. Never taken back: a thread in
 * the middle of a launch would never be heard to leave it. */
void subscription_want_launches(void);

/* Whether calls of this kind are among them. */
static inline bool subscription_is_launch(enum call_kind kind)
{
	return calls_launch(kind) || kind == CALL_GRAPH || kind == CALL_CAPTURE ||
	       kind == CALL_CAPTURE_END;
}

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_TAKEOVER_H
#define BACKEND_CUDA_TAKEOVER_H

#include <stdbool.h>

#include "backend/cuda/calls.h"
#include "backend/cuda/cupti.h"

/*
 * A second client of CUPTI that looks up cuptiActivityRegisterCallbacks in libcupti itself, so that
 * clients.h does not refuse it. CUPTI has one pair of functions for buffers. The client that
 * registers last gets all later records, and the buffers of this library that are in use. CUPTI
 * has no function that returns the registered pair. But libcupti stores the pair in two adjacent
 * words of its data (seen in those of CUDA 11.8 to 13.1; the later ones register nothing without a
 * driver). They are searched for once and read later. If they are not found, source.c notices the
 * loss at the end of the program, if CUPTI has a buffer of this library then.
 */

/* Calls cuptiActivityRegisterCallbacks and returns its result, an enum cupti_result. Call once. */
int takeover_register(cupti_buffer_requested *requested, cupti_buffer_completed *completed);

/* Returns true if the functions of another client are registered. Cheap. */
bool takeover_has_happened(void);

/* If takeover_has_happened(): prints a message, once, and subscribes to launches, to count them as
 * lost. */
void takeover_look(void);

/* Called for a call of the driver API, of this kind, for which subscription_is_launch is true.
 * Counts a successful launch after takeover_look has noticed another client, unless a graph is
 * being captured. */
void takeover_count(const struct cupti_call *call, enum call_kind kind);

#endif

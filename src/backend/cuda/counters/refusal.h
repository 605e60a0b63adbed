/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_REFUSAL_H
#define BACKEND_CUDA_COUNTERS_REFUSAL_H

#include "base/strbuf.h"
#include "settings/counter_request.h"

/*
 * Messages about refused counters: one sentence per reason, once per process, with the counters'
 * names. A reason is a clause after a colon. Not thread-safe.
 */
#define REFUSAL_CONCURRENT                                                                         \
	"counters of kernels that run at the same time cannot be told apart; remove "              \
	"conckerneltrace to measure them"
#define REFUSAL_FOUR                                                                               \
	"these devices measure four counters at a time; measure the others in another run"
#define REFUSAL_UNKNOWN                                                                            \
	"the device, or this libcupti, lacks their events or metrics; \"computeprof list "         \
	"counters --device 0\" lists the counters of the device"
#define REFUSAL_COMBINATION                                                                        \
	"they cannot be measured together with the counters before them; measure them in "         \
	"another run"
#define REFUSAL_PASSES                                                                             \
	"they cannot be measured in one pass with the counters before them; measure them in "      \
	"another run, or set replay = kernel in section [counters]"

/* `reasons` has a reason for each refused choice, and NULL for the others. */
void refusal_say(const struct counter_choices *choices, const char *const *reasons,
		 unsigned capability);

/* Appends the counter's name for struct counter_set. */
void refusal_list(struct strbuf *names, const struct counter_choice *choice);

#endif

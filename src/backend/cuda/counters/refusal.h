/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_COUNTERS_REFUSAL_H
#define BACKEND_CUDA_COUNTERS_REFUSAL_H

#include "base/strbuf.h"
#include "settings/choice.h"

/*
 * Messages about refused counters: one sentence per reason, once per process, with the counters'
 * names. A reason is a clause after a colon. Not thread-safe.
 */
#define REFUSAL_CONCURRENT                                                                         \
	"kernels that run at the same time cannot be told apart; they can be counted without "     \
	"conckerneltrace"
#define REFUSAL_FOUR "these devices count four at a time; the others need a run of their own"
#define REFUSAL_UNKNOWN                                                                            \
	"the device, or this libcupti, does not know what they are made of; \"computeprof list "   \
	"counters --device 0\" shows what it has"
#define REFUSAL_COMBINATION                                                                        \
	"they cannot be counted in one run with those before them; they need a run of their own"
#define REFUSAL_PASSES                                                                             \
	"they cannot be counted in one pass with those before them; they need a run of their "     \
	"own, or replay = kernel in section [counters]"

/* `reasons` has a reason for each refused choice, and NULL for the others. */
void refusal_say(const struct counter_choices *choices, const char *const *reasons,
		 unsigned capability);

/* Appends the counter's name for struct counter_set. */
void refusal_list(struct strbuf *names, const struct counter_choice *choice);

#endif

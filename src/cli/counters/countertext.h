/* SPDX-License-Identifier: MIT */
#ifndef CLI_COUNTERS_COUNTERTEXT_H
#define CLI_COUNTERS_COUNTERTEXT_H

#include "model/counter.h"

/* Units and descriptions of the counters in model/counter.h, indexed by counter id. Only the tool
 * uses them. */
struct counter_text {
	const char *unit;
	const char *help;
};

extern const struct counter_text counter_texts[COUNTER_COUNT];

#endif

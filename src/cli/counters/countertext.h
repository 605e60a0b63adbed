/* SPDX-License-Identifier: MIT */
#ifndef CLI_COUNTERS_COUNTERTEXT_H
#define CLI_COUNTERS_COUNTERTEXT_H

#include "model/counter.h"

/* What the tool alone needs to know of the counters in model/counter.h, by their ids. */
struct counter_text {
	const char *unit;
	const char *help;
};

extern const struct counter_text counter_texts[COUNTER_COUNT];

#endif

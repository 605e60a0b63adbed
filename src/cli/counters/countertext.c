/* SPDX-License-Identifier: MIT */
#include "cli/counters/countertext.h"

const struct counter_text counter_texts[COUNTER_COUNT] = {
#define COUNTER(name, unit, help, events, metric, why) [COUNTER_##name] = {unit, help},
#include "model/counters_2010.def"
#include "model/counters_events.def"
#include "model/counters_nvprof.def"
#undef COUNTER
};

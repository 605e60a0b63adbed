/* SPDX-License-Identifier: MIT */
#ifndef METRICFACTS_H
#define METRICFACTS_H

#include "backend/cuda/counters/hostapi.h"
#include "cli/counters/chip.h"

/* The data of an installed libcupti about the metrics in the table of counters. */
enum { FACT_METRICS = 512 };

struct metricfacts {
	struct hostapi api;
	unsigned version; /* of cuptiGetVersion */
	const char *const *chips;
	size_t chip_count;
	char *metrics[FACT_METRICS]; /* the distinct names in all formulas */
	size_t metric_count;
	size_t alone[FACT_METRICS]; /* passes of each on the planned chip */
};

/* Opens the first libcupti that supports metrics. Returns 0, or -1 if there is none. */
int metricfacts_open(struct metricfacts *facts);

/* Sets whether this chip of the library has each of the metrics; -1 if it has none. */
int metricfacts_have(const struct metricfacts *facts, const char *chip, bool *have);

/* Returns the first formula of the counter whose metrics the chip has, or COUNTER_NONE. */
struct counter_way metricfacts_way(const struct metricfacts *facts, const bool *have, int id);

/* Call before metricfacts_passes for this chip. */
void metricfacts_plan(struct metricfacts *facts, const char *chip, const bool *have);

/* Returns the number of passes of the formula. */
size_t metricfacts_passes(const struct metricfacts *facts, const char *chip,
			  struct counter_way way);

#endif

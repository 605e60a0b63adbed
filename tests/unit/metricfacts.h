/* SPDX-License-Identifier: MIT */
#ifndef METRICFACTS_H
#define METRICFACTS_H

#include "backend/cuda/counters/hostapi.h"
#include "cli/counters/chip.h"

/* What an installed libcupti says about the metrics in the table of counters. */
enum { FACT_METRICS = 512 };

struct metricfacts {
	struct hostapi api;
	unsigned version; /* of cuptiGetVersion */
	const char *const *chips;
	size_t chip_count;
	char *metrics[FACT_METRICS]; /* the names in all formulas, each once */
	size_t metric_count;
	size_t alone[FACT_METRICS]; /* passes that each needs on the chip planned for */
};

/* Opens the first libcupti that knows metrics. 0, or -1 if there is none. */
int metricfacts_open(struct metricfacts *facts);

/* Whether this chip of the library has each of the metrics; -1 when it knows none. */
int metricfacts_have(const struct metricfacts *facts, const char *chip, bool *have);

/* The first formula of the counter that the chip has all metrics of, or COUNTER_NONE. */
struct counter_way metricfacts_way(const struct metricfacts *facts, const bool *have, int id);

/* To be called before metricfacts_passes asks about this chip. */
void metricfacts_plan(struct metricfacts *facts, const char *chip, const bool *have);

/* In how many passes the formula is measured. */
size_t metricfacts_passes(const struct metricfacts *facts, const char *chip,
			  struct counter_way way);

#endif

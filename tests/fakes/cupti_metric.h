/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUPTI_METRIC_H
#define TESTS_FAKES_CUPTI_METRIC_H

#include "cuda.h"

/* Chips, the metrics that they have, and the values of these: see cupti_metric.c. */

enum { CHIP_NAME = 16 };

/* All chips of the Host API. */
const char *const *chip_names(size_t *count);
bool chip_is(const char *name);
/* Returns the chip of the script's devices. */
const char *chip_of_devices(void);

/* A measured kernel. */
struct range {
	struct effort effort;
	uint64_t number; /* of the command */
	uint64_t index;	 /* of the session */
};

bool metric_is(const char *chip, const char *metric);
/* Returns true if it can only be measured alone, or with others of its unit. */
bool metric_is_alone(const char *metric);
/* Returns how often a kernel runs for metrics that were added together. */
unsigned metric_passes(const char *const *metrics, size_t count);
double metric_value(const char *metric, const struct range *range);

#endif

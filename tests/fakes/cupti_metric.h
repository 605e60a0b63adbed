/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUPTI_METRIC_H
#define TESTS_FAKES_CUPTI_METRIC_H

#include "cuda.h"

/* Chips, the metrics that they have, and the values of these: see cupti_metric.c. */

enum { CHIP_NAME = 16 };

/* All that the Host API knows. */
const char *const *chip_names(size_t *count);
bool chip_is(const char *name);
/* The one that the script's devices are. */
const char *chip_of_devices(void);

/* A kernel that was measured. */
struct range {
	struct effort effort;
	uint64_t number; /* of the command */
	uint64_t index;	 /* of the session */
};

bool metric_is(const char *chip, const char *metric);
/* It can be measured only by itself, or with others of its unit. */
bool metric_is_alone(const char *metric);
/* How often a kernel runs for metrics that were added together. */
unsigned metric_passes(const char *const *metrics, size_t count);
double metric_value(const char *metric, const struct range *range);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_COUNTERS_CUPTI_QUERY_H
#define CLI_COUNTERS_CUPTI_QUERY_H

#include "cli/counters/chip.h"
#include "cli/flag.h"

/* Queries to the driver and to libcupti. They run in a child process (sandbox.h). */

/* Returns the chip of --chip, or of the device of --device; flag_check has checked both. NULL if
 * neither option was given, or after a message if the device cannot be queried. */
const struct chip *cupti_query_chip(const struct flags *flags);

/* Answers of libcupti about metrics of a chip. */
struct cupti_query_answer {
	bool known;   /* a libcupti was found, and it supports the chip */
	char *have;   /* one byte per metric: '1' available, '0' the chip lacks it, 'x' it cannot be
		       * measured together with the earlier ones; the caller frees it */
	unsigned passes; /* for all metrics with '1' together; 0: unknown */
};

void cupti_query_metrics(struct cupti_query_answer *answer, const struct chip *chip,
			 const char *const *metrics, unsigned count);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_COUNTERS_CUPTI_QUERY_H
#define CLI_COUNTERS_CUPTI_QUERY_H

#include "cli/counters/chip.h"
#include "cli/flag.h"

/* What is asked outside of the tool, in a child process (sandbox.h): the driver, and a libcupti. */

/* The chip that --chip names or that device --device has; NULL, and why is said, if there is none
 * or neither was given. */
const struct chip *cupti_query_chip(const struct flags *flags);

/* What a libcupti says of some metrics on a chip. */
struct cupti_query_answer {
	bool known;   /* there is a libcupti, and it knows the chip */
	char *have;   /* for each metric '1'; '0' if the chip lacks it; 'x' if it cannot be measured
			 together with the earlier ones; for the caller to free */
	unsigned passes; /* for all with '1' together; 0 if it could not be told */
};

void cupti_query_metrics(struct cupti_query_answer *answer, const struct chip *chip,
			 const char *const *metrics, unsigned count);

#endif

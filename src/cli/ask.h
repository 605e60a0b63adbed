/* SPDX-License-Identifier: MIT */
#ifndef CLI_ASK_H
#define CLI_ASK_H

#include "cli/chip.h"
#include "cli/flag.h"

/* What is asked outside of the tool, in a child process (trial.h): the driver, and a libcupti. */

/* The chip that --chip names or that device --device has; NULL, and why is said, if there is none
 * or neither was given. */
const struct chip *ask_chip(const struct flags *flags);

/* What a libcupti says of some metrics on a chip. */
struct ask_answer {
	bool known;   /* there is a libcupti, and it knows the chip */
	char *have;   /* for each metric '1' or '0'; for the caller to free */
	unsigned passes; /* for all that the chip has together; 0 if it could not be told */
};

void ask_metrics(struct ask_answer *answer, const struct chip *chip, const char *const *metrics,
		 unsigned count);

#endif

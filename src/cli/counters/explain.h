/* SPDX-License-Identifier: MIT */
#ifndef CLI_COUNTERS_EXPLAIN_H
#define CLI_COUNTERS_EXPLAIN_H

#include <stdbool.h>

#include "cli/counters/chip.h"

/* Prints what the counter or metric `name` counts; with a chip, how this chip counts it. Returns
 * false if there is none of this name. */
bool explain_counter(const char *name, const struct chip *chip);

#endif

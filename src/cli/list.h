/* SPDX-License-Identifier: MIT */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include <stdbool.h>

/* What `computeprof list` can show. Each prints to stdout and returns the exit code. */
int list_options(bool man);
int list_devices(bool man);
int list_configs(bool man);
int list_counters(bool man);

struct option_row;

/* What values a setting takes, "kvp|csv". */
const char *list_value(const struct option_row *row);

#endif

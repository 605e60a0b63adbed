/* SPDX-License-Identifier: MIT */
#ifndef CLI_LIST_LIST_H
#define CLI_LIST_LIST_H

#include "base/strbuf.h"
#include "cli/counters/chip.h"
#include "cli/flag.h"

/* The lists of `computeprof list`. Each function prints to stdout and returns the exit code. */
int list_options(const struct flags *flags);
int list_devices(const struct flags *flags);
int list_configs(const struct flags *flags);
int list_counters(const struct flags *flags);
int list_chips(const struct flags *flags);
int list_completions(const struct flags *flags);

/* The parts of list_options: a title and a table each. */
void list_columns(void);
void list_settings(void);
void list_variables(void);

/* Appends "NAME\tMEANING\n" for each ready-made configuration. Returns 0, or -1 with errno set. */
int list_config_rows(struct strbuf *rows);

/* Print doc/COUNTERS, and the counters of a configuration file. */
void list_matrix(void);
int list_requested(const struct chip *chip, const char *config);

/* A table of the counters of a chip. */
#define LIST_CHIP_HEADING "COUNTER\tUNIT\tCLASS\tPASSES\tHOW\n"
void list_chip_title(const struct chip *chip);
void list_chip_row(struct strbuf *rows, const struct chip *chip, int id,
		   const struct chip_counter *found);

/* Returns "exact", "approximate" or "none". */
const char *list_grade(enum counter_grade grade);

/* Appends the reason why a counter is not available. `missing` is that of struct chip_counter,
 * `why` that of struct counter. */
void list_why_not(struct strbuf *to, const struct chip *chip, const char *missing,
		  const char *why);

struct option_row;

/* --query-events and --query-metrics. Returns the exit code. */
int list_query(const struct flags *flags);

/* Returns the values that a setting takes, such as "kvp|csv". */
const char *list_value(const struct option_row *row);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_COUNTERS_PASSES_H
#define CLI_COUNTERS_PASSES_H

#include "base/strbuf.h"
#include "cli/counters/cupti_query.h"
#include "settings/settings.h"

/*
 * The counters of a configuration on a chip: the formula of each, and the number of passes in which
 * all are measured. libcupti is queried if one is found; otherwise the tables are used.
 */
enum { PASSES_METRICS = 2048 };

struct passes {
	const struct settings *settings;
	const struct chip *chip;
	char *metrics[PASSES_METRICS]; /* the distinct metrics of all counters */
	unsigned count;
	struct cupti_query_answer answer; /* for these metrics */
};

/* `settings` and `chip` must live as long as `passes`. */
void passes_ask(struct passes *passes, const struct settings *settings, const struct chip *chip);
void passes_free(struct passes *passes);

/* Returns the counter with this number. Its `passes` is always 0 if it is not in the table. */
struct chip_counter passes_counter(const struct passes *passes, unsigned number);

/* Returns the metric that prevents measuring the counter together with the others, or NULL. */
const char *passes_apart(const struct passes *passes, unsigned number);

/* Returns the number of counters that are measured together. */
unsigned passes_measured(const struct passes *passes);

/* Appends this number and the passes, for example "5 of 5 can be measured on GH100, in 1 pass: each
 * kernel runs once". `where` may be NULL. */
void passes_say(const struct passes *passes, const char *where, struct strbuf *to);

#endif

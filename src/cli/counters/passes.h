/* SPDX-License-Identifier: MIT */
#ifndef CLI_COUNTERS_PASSES_H
#define CLI_COUNTERS_PASSES_H

#include "base/strbuf.h"
#include "cli/counters/cupti_query.h"
#include "settings/settings.h"

/*
 * The counters of a configuration on a chip: how each is made there, and how often a kernel runs
 * until all of them are measured. A libcupti is asked where one is found; where there is none, the
 * tables say what they can.
 */
enum { PASSES_METRICS = 2048 };

struct passes {
	const struct settings *settings;
	const struct chip *chip;
	char *metrics[PASSES_METRICS]; /* different ones, of all counters */
	unsigned count;
	struct cupti_query_answer answer; /* for these metrics */
};

/* What is given must live as long as `passes`. */
void passes_ask(struct passes *passes, const struct settings *settings, const struct chip *chip);
void passes_free(struct passes *passes);

/* The counter with this number. Of one that is not in the table `passes` is never known. */
struct chip_counter passes_counter(const struct passes *passes, unsigned number);

/* The metric for which it cannot be measured in the same run as the others, or NULL. */
const char *passes_apart(const struct passes *passes, unsigned number);

/* How many are measured together. */
unsigned passes_measured(const struct passes *passes);

/* Appends that, and in how many passes: "5 of 5 can be measured on GH100, in 1 pass: each kernel
 * runs once". `where` may be NULL. */
void passes_say(const struct passes *passes, const char *where, struct strbuf *to);

#endif

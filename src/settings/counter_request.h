/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_COUNTER_REQUEST_H
#define SETTINGS_COUNTER_REQUEST_H

#include <stdbool.h>

/*
 * The counters that a configuration file requests, in its order, without duplicates. A counter is a
 * row of the table (model/counter.h), the name of a PerfWorks metric, or defined by a section
 * [counter NAME] of the file.
 */
struct counter_choice {
	char *name;   /* name of the column */
	int id;	      /* row of the table, or -1 */
	char *metric; /* without a row: the formula, or NULL; likewise `event`, `help` and `unit` */
	char *event;
	char *help;
	char *unit;
};

enum { COUNTER_REQUESTS_MOST = 512 };

struct counter_choices {
	struct counter_choice *items;
	unsigned count;
};

/* Adds a counter with this name. Returns NULL if it exists, if there are COUNTER_REQUESTS_MOST
 * counters, or without memory. */
struct counter_choice *counter_requests_add(struct counter_choices *choices, const char *name,
					    int id);
void counter_requests_free(struct counter_choices *choices);

#endif

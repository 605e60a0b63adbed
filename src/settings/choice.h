/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_CHOICE_H
#define SETTINGS_CHOICE_H

#include <stdbool.h>

/*
 * The counters that a configuration file asks for, in its order, each once. One is a row of the
 * table (model/counter.h), the name of a PerfWorks metric as it stands, or defined by a section
 * [counter NAME] of the file.
 */
struct counter_choice {
	char *name;   /* of the column */
	int id;	      /* the row, or -1 */
	char *metric; /* without a row: the formula, or NULL; so `event`, `help` and `unit` */
	char *event;
	char *help;
	char *unit;
};

enum { CHOICE_LIMIT = 512 };

struct counter_choices {
	struct counter_choice *items;
	unsigned count;
};

/* Adds one with this name; NULL if it is there already, if there are CHOICE_LIMIT of them, or when
 * memory ran out. */
struct counter_choice *choices_add(struct counter_choices *choices, const char *name, int id);
void choices_free(struct counter_choices *choices);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef MODEL_COUNTER_H
#define MODEL_COUNTER_H

/*
 * The hardware counters that configuration files of 2010 to 2019 ask for by name: one row each,
 * sorted by name (lower case). Knowing a name is not being able to read it: that is for a back end
 * to say.
 */
struct counter {
	const char *name;
	const char *help; /* a few words, no full stop */
};

enum { COUNTER_COUNT = 156 };

extern const struct counter counters[COUNTER_COUNT];

/* The counter of this name (any letter case), or NULL. */
const struct counter *counter_find(const char *name);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_ENVIRON_H
#define SETTINGS_ENVIRON_H

#include <stdbool.h>

#include "model/record.h"

/*
 * The environment variables. The first four come in families: COMPUTE_PROFILE speaks for all APIs,
 * the variable in the row of an API for that one. Each variable is resolved by itself: COMPUTE_x if
 * it is set, else the API's own x; an empty value counts as unset.
 */
enum environ_id {
	ENVIRON_PROFILE,
	ENVIRON_LOG,
	ENVIRON_CSV,
	ENVIRON_CONFIG,
	ENVIRON_DIALECT,
	ENVIRON_TRACE,
	ENVIRON_API,
	ENVIRON_WAIT,
	ENVIRON_RING,
	ENVIRON_COUNT
};

struct environ_row {
	const char *suffix;   /* what follows COMPUTE_PROFILE in its name */
	bool family;          /* each API has one of its own, too */
	bool on_off;          /* takes 1 or 0 */
	const char *fallback; /* default value, as in the manual */
	const char *help;     /* one sentence without a full stop */
};

extern const struct environ_row environ_rows[ENVIRON_COUNT];

/* What the names of a family begin with. Number 0 is that of all APIs, which wins. */
enum { ENVIRON_FAMILIES = 1 + API_COUNT };
const char *environ_family(unsigned int number);

/* What the environment says to one API: pointers into it, NULL for what is not set. */
struct environ_values {
	const char *value[ENVIRON_COUNT];
};

/* Reads the variables of `api`, once each. */
void environ_read(struct environ_values *values, enum api api);

/*
 * Returns true if an on/off variable is on. Values other than 1, 0 and empty are off; a message is
 * printed once per process and variable if the value or another variable shows that profiling is
 * intended.
 */
bool environ_on(const struct environ_values *values, enum environ_id id);

/* Returns true if a *_PROFILE variable of any family is 1; prints no message. Another variable may
 * still switch the API off. */
bool environ_any_enabled(void);

/*
 * Whether one is set to anything but 0: what the library asks before it does anything in a process.
 * One look-up for each family at most, no message; what is neither 1 nor 0 is answered when an API
 * asks.
 */
bool environ_any_set(void);

#endif

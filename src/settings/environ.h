/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_ENVIRON_H
#define SETTINGS_ENVIRON_H

#include <stdbool.h>

#include "model/record.h"

/*
 * The environment variables. The first four exist in three families: COMPUTE_PROFILE applies to all
 * APIs, CUDA_PROFILE and OPENCL_PROFILE to one. Each variable is resolved separately: COMPUTE_x if
 * it is set, else the API's own x. An empty value counts as unset.
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
	const char *suffix;   /* its name after COMPUTE_PROFILE */
	bool family;          /* it has CUDA_ and OPENCL_ variants */
	bool on_off;          /* takes 1 or 0 */
	const char *fallback; /* default value, as in the manual */
	const char *help;     /* one sentence without a full stop */
};

extern const struct environ_row environ_rows[ENVIRON_COUNT];

/* The variables of one API. The values point into the environment; NULL if unset. */
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
 * Returns true if a *_PROFILE variable is set and not 0. The library checks this first in every
 * process. At most three look-ups and no message; invalid values are reported when an API is used.
 */
bool environ_any_set(void);

#endif

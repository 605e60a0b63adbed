/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_ENVIRON_H
#define SETTINGS_ENVIRON_H

#include <stdbool.h>

#include "model/record.h"

/*
 * The environment variables. The first four are families: COMPUTE_PROFILE applies to all APIs, the
 * variable of an API's row to that API. Each variable is resolved separately: COMPUTE_x if it is
 * set, otherwise the API's own x. An empty value counts as unset.
 */
enum environ_id {
	ENVIRON_PROFILE,
	ENVIRON_LOG,
	ENVIRON_CSV,
	ENVIRON_CONFIG,
	ENVIRON_DIALECT,
	ENVIRON_TRACE,
	ENVIRON_API,
	ENVIRON_API_LOG,
	ENVIRON_EVENTS,
	ENVIRON_STACKS,
	ENVIRON_VALUES,
	ENVIRON_MANAGED,
	ENVIRON_TOTALS,
	ENVIRON_TRACE_FROM,
	ENVIRON_SAMPLE,
	ENVIRON_SAMPLES_ONLY,
	ENVIRON_WAIT,
	ENVIRON_RING,
	ENVIRON_PFLOG, /* from here on: names of their own */
	ENVIRON_PFLOG_VERSION,
	ENVIRON_PFLOG_FORMAT,
	ENVIRON_PFLOG_NAMES,
	ENVIRON_PFLOG_PERIOD,
	ENVIRON_PFLOG_PROMETHEUS,
	ENVIRON_COUNT
};

/* Texts are in the row, without addresses that the dynamic linker must adjust in each process. */
struct environ_row {
	char suffix[20];      /* the part of the name after COMPUTE_PROFILE */
	bool family;          /* each API also has a variable of its own */
	bool whole;	      /* `suffix` is the whole name, as of another profiler's variable */
	bool on_off;          /* takes 1 or 0 */
	char fallback[20];    /* default value, as in the manual */
	const char *help;     /* one sentence without a full stop */
};

extern const struct environ_row environ_rows[ENVIRON_COUNT];

/* The prefixes of the names of a family. Number 0 is that of all APIs, which has priority. */
enum { ENVIRON_FAMILIES = 1 + API_COUNT };
const char *environ_family(unsigned int number);

/* Returns what stands before the suffix of a row: "" if that is the whole name. */
const char *environ_prefix(const struct environ_row *row, unsigned int family);

/* The values of the variables for one API: pointers into the environment, NULL if unset. */
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

/* Without the variable PFLOG, `directory` is its value from now on; a constant. For a library that
 * was loaded under the name of another profiler's. */
void environ_set_metrics(const char *directory);

/* Returns true if only samples are to be recorded; other values than 1, 0 and empty as above. */
bool environ_samples_only(void);

/*
 * Returns true if a *_PROFILE variable is neither empty nor 0, or if PFLOG is set; the library
 * calls this first in each process. It looks up at most one variable per family, and PFLOG, and
 * prints no message: invalid values are reported later, by environ_on.
 */
bool environ_any_set(void);

#endif

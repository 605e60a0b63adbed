/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_SETTINGS_H
#define SETTINGS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/kept.h"
#include "model/layout.h"
#include "settings/counter_request.h"
#include "settings/environ.h"

/* A switch that may be unset. */
enum tristate { TRISTATE_UNSET, TRISTATE_OFF, TRISTATE_ON };

/* The place of the ring file: see session/ringfile.h. */
enum ring_place {
	RING_BY_ROOM, /* in memory if it has enough room, else beside the log */
	RING_IN_MEMORY,
	RING_BESIDE_LOG,
	RING_NONE, /* no log needs it */
};

/* The metrics logs (doc/METRICS): what and where session/pflog.c writes. */
enum metrics_format { METRICS_LOG, METRICS_EXPORTER };
enum { METRICS_VERSION = 1, METRICS_PERIOD = 100 }; /* defaults */

struct metrics_settings {
	char *directory;     /* pattern; NULL: they are off */
	unsigned version;    /* of the lines of timeline.log, 1 or 2 */
	enum metrics_format format; /* of metrics.log */
	bool native_names;   /* OpenCL's functions keep their names */
	bool prometheus;     /* metrics.prom, too */
	uint64_t period;     /* ms between two writes */
	char *rank;	     /* of rules with `prometheus`: filename_rank, or NULL */
};

enum { SAMPLE_RATE_MOST = 10000 /* samples of the CPU per second */ };

/* The analysis of values. */
enum values_mode {
	VALUES_NONE,
	VALUES_OBJECTS, /* the uses of memory by commands (struct use) are recorded, */
	VALUES_LINES,	/* and what kernels load and store by line (struct source_line); */
	VALUES_FLOW,	/* or, with the uses, what the writes have changed (struct change), */
	VALUES_PATTERNS, /* and the patterns of values (struct pattern) */
};

enum { VALUE_PERCENT = 100, VALUE_LEVEL = 3 }; /* defaults, */
#define VALUE_LIMIT  (UINT64_C(64) << 20)
#define VALUE_MEMORY (UINT64_C(1) << 30)

/*
 * The user's settings for one API, from the environment and the configuration file. They are read
 * once and then constant. The struct owns all strings.
 */
struct settings {
	bool enabled;
	struct layout layout;
	char *log;       /* file name pattern, % not expanded */
	char *trace;     /* file name pattern of the trace, or NULL */
	uint32_t sample_rate; /* samples of the CPU per second of a thread's CPU time, 0: none */
	char *api_log;   /* file name pattern of the API log, or NULL */
	char *events;    /* and of the event stream, or NULL */
	bool api_calls;  /* the trace, the API log or the totals contain the program's calls */
	bool calls_asked; /* they are requested, whether or not there is such an output */
	bool managed;	 /* the trace has the events of CUDA's managed memory */
	enum values_mode values;
	enum values_mode values_asked; /* likewise, whether or not an output has them */
	uint64_t value_limit;	/* from VALUES_FLOW on: bytes of the largest object that is
				 * compared, */
	uint64_t value_memory;	/* bytes of the copies of all objects, */
	uint64_t value_percent; /* and how long comparing may take, in percent of the rest */
	uint8_t value_type;	/* VALUES_PATTERNS: enum element_type, if a kernel's argument does
				 * not tell it; */
	uint8_t value_level;	/* level of the rounding; 0: none */
	uint64_t value_sample;	/* of this number of launches of a kernel, one is examined */
	char *value_kernels;	/* kernels that are examined: as kernel_filter */
	void *value_regex;	/* `value_kernels` compiled */
	bool stacks;	 /* records and events have call stacks: for the trace, or for the column
			  * of callers */
	unsigned unkept; /* KEPT_ bits that are requested, and that neither the log, the trace nor
			  * the event stream has */
	bool totals;	 /* running totals are kept (session/totals.h), */
	bool totals_percentiles; /* and the percentiles of calls */
	bool trace_from_ranges; /* the trace begins at the first range */
	bool ranges_asked; /* because the user has requested that */
	char *config;    /* path of the configuration file, or NULL */
	char *bad_config; /* the user's path of an unusable configuration file, or NULL */
	struct counter_choices counters; /* the counters of the configuration file */
	struct strbuf warnings; /* NV_Warning lines for the start of every log */
	struct strbuf unknown;	/* the unknown words of these, without duplicates: lines "NUMBER
				 * WORD" */
	bool only_looked_at;    /* nothing will be logged, so counters are not reported */
	enum ring_place ring;
	bool start_enabled;     /* enableonstart */
	enum tristate concurrent_kernels; /* conckerneltrace */
	bool aggregate_counters; /* countermodeaggregate */
	bool replay_kernels;     /* run a kernel several times to count more events */
	bool verbose_build;      /* request register counts from NVIDIA's OpenCL compiler */
	char *kernel_filter;     /* POSIX extended regular expression, checked, or NULL */
	void *kernel_regex;      /* `kernel_filter` compiled (regex_t *), or NULL */
	uint64_t record_limit;   /* rows per log file, 0 = no limit */
	uint64_t byte_limit;     /* bytes per log file, 0 = no limit */
	struct metrics_settings metrics;
	bool more_outputs; /* of the rules: there are totals, metrics logs, an API log or an event
			    * stream */
	bool no_log; /* only the metrics logs are requested: no row is written to `log` */
};

/* Returns true if a log is written. */
static inline bool settings_have_log(const struct settings *settings)
{
	return !settings->no_log && !(settings->log && !strcmp(settings->log, "/dev/null"));
}

/* Returns true if the log has the callers of launches. */
static inline bool settings_logs_callers(const struct settings *settings)
{
	return settings->layout.columns & 1U << COLUMN_ID_CALLER && settings_have_log(settings);
}

/* Returns true if an output has the samples. */
static inline bool settings_keeps_samples(const struct settings *settings)
{
	return settings->trace || settings->events;
}

/* Returns true if an output has the call stacks of records. */
static inline bool settings_keeps_stacks(const struct settings *settings)
{
	return settings_keeps_samples(settings) || settings_logs_callers(settings);
}

/* Returns true if the program's calls are events: for a trace or totals, or for the metrics
 * logs. */
static inline bool settings_need_calls(const struct settings *settings)
{
	return settings->api_calls || settings->metrics.directory;
}

/*
 * Fills `settings` from the environment and the configuration file that it names. Never fails: bad
 * input results in a line of `warnings`, in `bad_config`, or in a message on stderr. If profiling
 * is off for `api`, only `enabled` (false) is set and no file is read.
 */
void settings_load(struct settings *settings, enum api api);

/* As settings_load, with `only_looked_at` set from the start. */
void settings_look(struct settings *settings, enum api api);

/* Settings that a program passes in a call. They override the environment; the format also
 * overrides the configuration file. */
struct settings_request {
	const char *config; /* NULL or empty: from the environment; likewise `log` */
	const char *log;
	enum format format;
};

/* As settings_load, with settings that the program has passed in a call. */
void settings_load_request(struct settings *settings, enum api api,
			   const struct settings_request *wish);
void settings_free(struct settings *settings);

/* Appends the default name of the log, a pattern. In a job (filename_job_rank) it has the rank. */
void settings_default_log(struct strbuf *to, enum dialect dialect, enum api api);

/* Returns true if `log` is that name. */
bool settings_is_default_log(const struct settings *settings);

/* Parses the value of COMPUTE_PROFILE_RING, NULL if unset. Returns NULL, or an error text to print
 * after the variable's name. */
const char *settings_ring(enum ring_place *place, const char *value);

/* Checks a value of a variable that is neither a switch nor a file, as the library does. Returns
 * NULL, or an error text to print after the variable's name. */
const char *settings_wrong_value(enum environ_id id, const char *value);

/* Prints `wrong`, such an error text, with the name and the value, once. NULL: prints nothing. */
void settings_say_wrong(enum environ_id id, const char *wrong, const char *value);

/* Returns true if the values of a kernel of this name are to be examined. */
bool settings_examines_kernel(const struct settings *settings, const char *name);

/* Returns true if a kernel of this name is to be logged. */
bool settings_logs_kernel(const struct settings *settings, const char *name);

#endif

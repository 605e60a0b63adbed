/* SPDX-License-Identifier: MIT */
#ifndef SETTINGS_SETTINGS_H
#define SETTINGS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/layout.h"
#include "settings/choice.h"

/* A switch of which it matters whether anything was said. */
enum wish { WISH_NONE, WISH_OFF, WISH_ON };

/* Where the ring file is made: see session/spool.h. */
enum ring_place {
	RING_BY_ROOM, /* in memory if there is room enough, else beside the log */
	RING_IN_MEMORY,
	RING_BESIDE_LOG,
};

/*
 * What the user asked for, for one API: the environment and the configuration file, read once and
 * constant from then on. All strings are owned by the struct.
 */
struct settings {
	bool enabled;
	struct layout layout;
	char *log;       /* file name pattern of the user or the default, % not expanded */
	char *trace;     /* file name pattern of the binary trace, or NULL */
	bool api_calls;  /* the trace has the program's calls, too; only with a trace */
	char *config;    /* path of the configuration file that was read, or NULL */
	char *bad_config; /* the path, as the user wrote it, if it cannot be used; else NULL */
	struct counter_choices counters; /* that the configuration file asks for */
	struct strbuf warnings; /* whole NV_Warning lines for the top of every log */
	struct strbuf unknown;	/* the words of these, each once: lines "NUMBER WORD" */
	bool only_looked_at;    /* nothing will be logged: counters are not commented on */
	enum ring_place ring;
	bool start_enabled;     /* enableonstart */
	enum wish concurrent_kernels; /* conckerneltrace */
	bool aggregate_counters; /* countermodeaggregate */
	bool replay_kernels;     /* run a kernel several times to count more events */
	bool verbose_build;      /* ask NVIDIA's OpenCL compiler for registers */
	char *kernel_filter;     /* POSIX extended regular expression, checked, or NULL */
	void *kernel_regex;      /* the same compiled (regex_t *), or NULL */
	uint64_t record_limit;   /* rows per log file, 0 = no limit */
	uint64_t byte_limit;     /* bytes per log file, 0 = no limit */
};

/*
 * Fills `settings` from the environment and the configuration file it names. Never fails: bad
 * input is answered with a warning line in `warnings`, `bad_config`, or a sentence on stderr.
 * With profiling off for `api` only `enabled` (false) is set and no file is touched.
 */
void settings_load(struct settings *settings, enum api api);

/* What a program asks for by a call: it overrules the environment, and the format the configuration
 * file, too. */
struct settings_wish {
	const char *config; /* NULL or empty: what the environment says; so `log` */
	const char *log;
	enum format format;
};

/* As settings_load, but with the wish. */
void settings_load_wish(struct settings *settings, enum api api, const struct settings_wish *wish);
void settings_free(struct settings *settings);

/* The name of the log where nobody has given one. */
const char *settings_default_log(enum dialect dialect, enum api api);

/* Reads the value of COMPUTE_PROFILE_RING, NULL where it is not set. NULL; or what is wrong with
 * it, to be said behind the variable's name. */
const char *settings_ring(enum ring_place *place, const char *value);

/* Whether a kernel of this name is to be logged. */
bool settings_kernel_wanted(const struct settings *settings, const char *name);

#endif

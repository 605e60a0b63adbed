/* SPDX-License-Identifier: MIT */
#ifndef CLI_FLAG_H
#define CLI_FLAG_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The options of the command line. One row tells all about one: getopt_long's arrays, --help, the
 * manual page's list and what is set in the environment are made from it.
 */
enum command_id {
	COMMAND_RUN,
	COMMAND_RECOVER,
	COMMAND_LIST,
	COMMAND_DOCTOR,
	COMMAND_PRINT,
	COMMAND_EXPLAIN,
	COMMAND_REPORT,
	COMMAND_COUNT
};

enum flag_id {
	FLAG_OUTPUT,
	FLAG_FORCE,
	FLAG_LOG,
	FLAG_CSV,
	FLAG_KEYVAL,
	FLAG_CONFIG,
	FLAG_DIALECT,
	FLAG_TRACE,
	FLAG_APIS, /* one for each, in the order of enum api */
	FLAG_APIS_BEFORE = FLAG_APIS - 1,
#define API(id, ...) FLAG_##id,
#include "model/api.def"
#undef API
	FLAG_DEVICE,
	FLAG_CONTEXT,
	FLAG_CHIP,
	FLAG_MAN,
	FLAG_PRINT_SUMMARY,
	FLAG_PRINT_GPU_SUMMARY,
	FLAG_PRINT_GPU_TRACE,
	FLAG_PRINT_API_SUMMARY,
	FLAG_PRINT_API_TRACE,
	FLAG_PERCENTILES,
	FLAG_NOTES,
	FLAG_UNIT,
	FLAG_KERNELS,
	FLAG_DEVICES,
	FLAG_DEMANGLING,
	FLAG_LOG_FILE,
	FLAG_IMPORT,
	FLAG_START,
	FLAG_TIMEOUT,
	FLAG_QUERY_EVENTS,
	FLAG_QUERY_METRICS,
	FLAG_QUIET,
	FLAG_INTO,
	FLAG_HELP,
	FLAG_VERSION,
	FLAG_COUNT
};

/* What the user typed. All strings belong to argv. */
struct flags {
	enum command_id command;
	const char *value[FLAG_COUNT]; /* the argument, "" for an option without one, or NULL */
	char **arguments;	       /* what follows the options, NULL-terminated */
	int argument_count;
};

struct flag_row {
	const char *name;
	const char *alias;    /* another long name, not shown, or NULL */
	char letter;	      /* 0 if it has none */
	const char *argument; /* name of its argument, or NULL if it takes none */
	const char *help;
	uint32_t commands;			 /* bits: the commands that take it */
	bool packed; /* only named in the help of running a program, without what it does */
	const char *variable;			 /* the environment variable it sets, or NULL */
	const char *setting;			 /* what it sets it to; NULL: its argument */
	int (*apply)(const struct flags *flags); /* instead of `variable`; -1 if it said why not */
};

extern const struct flag_row flag_rows[FLAG_COUNT];

/* Whether `command` takes the option. */
bool flag_belongs(enum flag_id option, enum command_id command);

/* Fills `flags` for `command` from `argv`, whose first entry is skipped. 0, or -1 with one
 * sentence said. Where a program is named, the options end at its name. */
int flag_parse(struct flags *flags, enum command_id command, int argc, char **argv);

/* Sets in the environment what the options ask for. 0, or -1 with one sentence said. */
int flag_apply(const struct flags *flags);

/* COMPUTE_PROFILE=1, unless one of the three switches is set (and not empty) already. */
void flag_enable(void);

int flag_apply_output(const struct flags *flags);
int flag_apply_config(const struct flags *flags);
int flag_apply_dialect(const struct flags *flags);
int flag_apply_api(const struct flags *flags);
int flag_apply_start(const struct flags *flags);

#endif

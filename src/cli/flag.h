/* SPDX-License-Identifier: MIT */
#ifndef CLI_FLAG_H
#define CLI_FLAG_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The options of the command line. Each option is one row; getopt_long's arrays, --help, the manual
 * page's list and the environment variables are made from it.
 */
enum command_id {
	COMMAND_RUN,
	COMMAND_RECOVER,
	COMMAND_LIST,
	COMMAND_DOCTOR,
	COMMAND_HELP,
	COMMAND_PRINT,
	COMMAND_REPORT,
	COMMAND_MERGE,
	COMMAND_TAIL,
	COMMAND_TOP,
	COMMAND_FLAME,
	COMMAND_ADVISE,
	COMMAND_DIFF,
	COMMAND_GATE,
	COMMAND_COUNT
};

enum flag_id {
	FLAG_OUTPUT,
	FLAG_FORCE,
	FLAG_LOG,
	FLAG_CSV,
	FLAG_KEYVAL,
	FLAG_JSON,
	FLAG_CONFIG,
	FLAG_DIALECT,
	FLAG_TRACE,
	FLAG_EVENTS,
	FLAG_METRICS,
	FLAG_STACKS,
	FLAG_VALUES,
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
	FLAG_MODE,
	FLAG_GPU_ONLY,
	FLAG_CPU_ONLY,
	FLAG_STACK_UNIT,
	FLAG_BY_CALLER,
	FLAG_IDLE,
	FLAG_LOG_FILE,
	FLAG_IMPORT,
	FLAG_START,
	FLAG_TIMEOUT,
	FLAG_SAMPLE,
	FLAG_QUERY_EVENTS,
	FLAG_QUERY_METRICS,
	FLAG_QUIET,
	FLAG_INTO,
	FLAG_ROWS,
	FLAG_NO_FOLLOW,
	FLAG_RAW,
	FLAG_DELAY,
	FLAG_ITERATIONS,
	FLAG_BATCH,
	FLAG_RUNS,
	FLAG_WARMUP,
	FLAG_BASE,
	FLAG_SAVE,
	FLAG_THRESHOLD,
	FLAG_FLOOR,
	FLAG_STATISTIC,
	FLAG_MARKDOWN,
	FLAG_JUNIT,
	FLAG_HTML,
	FLAG_FOLDED,
	FLAG_BY,
	FLAG_LONGEST,
	FLAG_RECORDS,
	FLAG_HELP,
	FLAG_VERSION,
	FLAG_COUNT
};

/* The parsed command line. All strings belong to argv. */
struct flags {
	enum command_id command;
	const char *value[FLAG_COUNT]; /* the argument, "" for an option without one, or NULL */
	char **arguments;	       /* the words after the options, NULL-terminated */
	int argument_count;
	/* diff and gate: the words after the first word "--", NULL-terminated; `arguments` has
	 * those before it. NULL: there is no such word. */
	char **others;
	int other_count;
	/* For gate. A run after the first: settings without an effect were reported. */
	bool is_repeated;
	bool *unstarted; /* set to true if the program cannot be started; or NULL */
};

struct flag_row {
	const char *name;
	const char *alias;    /* another long name, not shown in --help, or NULL */
	char letter;	      /* 0 if it has none */
	const char *argument; /* name of its argument, or NULL if it takes none */
	const char *otherwise; /* the value without an argument, which is optional then; or NULL */
	const char *choices; /* the words that its argument may be, with | between them; or NULL */
	const char *help;
	uint32_t commands;			 /* bit set of the commands that accept it */
	bool packed; /* in the help for running a program: its name only */
	const char *variable;			 /* the environment variable it sets, or NULL */
	const char *setting;			 /* its value; NULL: the option's argument */
	int (*apply)(const struct flags *flags); /* instead of `variable`; -1 after a message */
};

extern const struct flag_row flag_rows[FLAG_COUNT];

/* Returns true if `command` accepts the option. */
bool flag_belongs(enum flag_id option, enum command_id command);

/* Returns the option of the command with this letter, or -1. Commands may have different ones. */
int flag_find_letter(enum command_id command, int letter);

/* Parses `argv` from its second entry into `flags`. When a program is run, the options end at the
 * program's name. Returns 0, or -1 after one message. */
int flag_parse(struct flags *flags, enum command_id command, int argc, char **argv);

/* Prints the message about an option that the command does not have: what is meant, or which
 * command has it. `word` may have an argument after =. */
void flag_say_unknown(enum command_id command, const char *word);

/* Checks for contradictions and invalid values that the options alone show. Returns 0, or -1 after
 * one message. */
int flag_check(const struct flags *flags);

/* Checks that each placeholder in the name of a file is one. Returns 0, or -1 after one message. */
int flag_check_pattern(const struct flags *flags, enum flag_id id);

/* Sets the environment variables for the options. Returns 0, or -1 after one message. */
int flag_apply(const struct flags *flags);

/* Sets COMPUTE_PROFILE=1, unless one of the three switches is set and not empty. */
void flag_enable(void);

/* No log is written for the APIs without a variable that names one; a configuration file still may
 * name it. Returns 0, or -1 after one message. */
int flag_write_no_log(void);

/* For a command that sets FLAG_LOG to /dev/null itself: this run writes no log. */
void flag_note_no_log(void);

/* Returns true if flag_write_no_log has set a variable, or flag_note_no_log was called. */
bool flag_has_no_log(void);

/* Prints the message about a name of -o without a known extension. */
void flag_say_extension(const char *file);

int flag_apply_output(const struct flags *flags);
int flag_apply_config(const struct flags *flags);
int flag_apply_dialect(const struct flags *flags);
int flag_apply_api(const struct flags *flags);
int flag_apply_calls(const struct flags *flags);
int flag_apply_start(const struct flags *flags);
int flag_apply_events(const struct flags *flags);
int flag_apply_metrics(const struct flags *flags);

#endif

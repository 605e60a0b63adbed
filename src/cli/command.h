/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/strbuf.h"
#include "cli/flag.h"

/*
 * The commands of the tool. Each command has one file, which defines one function. The table in
 * command.c has the names and texts, and main.c has the functions. A command function returns the
 * exit code of the tool.
 */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_PROBLEM = 1,	/* the command failed, or its input is invalid */
	EXIT_WORSE = 1,		/* diff, gate: B is slower than A */
	EXIT_INCONCLUSIVE = 3,	/* diff, gate: too few runs for a verdict */
	EXIT_TIMED_OUT = 124,	/* as timeout(1) */
	EXIT_TOOL_FAILED = 125, /* as env(1): the tool itself failed, the program was not started */
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
};

/* The exit codes with their meanings, for the manual pages and help. */
struct exit_row {
	uint32_t commands; /* bit set of the commands that end with it */
	const char *code;  /* as printed in the manual page */
	const char *help;  /* one sentence without a full stop */
};

extern const struct exit_row exit_rows[]; /* ends with a row whose code is NULL */

struct command {
	const char *name;      /* NULL for running a program */
	const char *alias;     /* another name, which only its own help shows, or NULL */
	const char *arguments; /* as printed in the usage line */
	const char *help;
};

extern const struct command commands[COMMAND_COUNT];

/* The command called `word`; COMMAND_RUN for every other word and for NULL. */
enum command_id command_find(const char *word);

/* Returns true if the words after the command's options are a program and its arguments. */
bool command_has_program(enum command_id command);

/* Appends the names of a bit set of commands: "computeprof PROGRAM, print and flame". */
void command_put_names(struct strbuf *to, uint32_t commands);

/* Appends the first sentence of the command's help, without the full stop. */
void command_sentence(struct strbuf *to, enum command_id command);

/* Each command has a function; main.c calls it. */
int run_command(const struct flags *flags);
int recover_command(const struct flags *flags);
int list_command(const struct flags *flags);
int doctor_command(const struct flags *flags);
int print_command(const struct flags *flags);
int help_command(const struct flags *flags);
int report_command(const struct flags *flags);
int merge_command(const struct flags *flags);
int tail_command(const struct flags *flags);
int top_command(const struct flags *flags);
int flame_command(const struct flags *flags);
int advise_command(const struct flags *flags);
int diff_command(const struct flags *flags);
int gate_command(const struct flags *flags);

#endif

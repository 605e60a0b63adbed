/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/flag.h"

/*
 * What the tool can do. Each command has one file, which gives one function; the table in
 * command.c is all that knows them. A command returns the exit code of the tool.
 */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_PROBLEM = 1,	/* a command: something is wrong with what was asked */
	EXIT_TIMED_OUT = 124,	/* as timeout(1) */
	EXIT_TOOL_FAILED = 125, /* as env(1): the tool itself failed, the program was not run */
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
};

/* What each of them means, for the manual. */
struct exit_row {
	const char *code; /* as the manual has it */
	const char *help; /* one sentence, no full stop */
};

extern const struct exit_row exit_rows[]; /* ends with a row without a code */

struct command {
	const char *name;      /* NULL for running a program, which has no word */
	const char *arguments; /* as the usage line has them */
	const char *help;
	int (*run)(const struct flags *flags);
};

extern const struct command commands[COMMAND_COUNT];

/* The command called `word`; COMMAND_RUN for every other word and for NULL. */
enum command_id command_find(const char *word);

int run_command(const struct flags *flags);
int recover_command(const struct flags *flags);
int list_command(const struct flags *flags);
int doctor_command(const struct flags *flags);
int print_command(const struct flags *flags);
int explain_command(const struct flags *flags);
int report_command(const struct flags *flags);

#endif

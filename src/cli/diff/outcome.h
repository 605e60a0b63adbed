/* SPDX-License-Identifier: MIT */
#ifndef CLI_DIFF_OUTCOME_H
#define CLI_DIFF_OUTCOME_H

#include "cli/flag.h"
#include "view/compare/compare.h"

/* The options and the output of diff and gate. */
enum outcome_form { OUTCOME_TEXT, OUTCOME_CSV, OUTCOME_JSON, OUTCOME_MARKDOWN };

struct outcome {
	const struct flags *flags;
	struct compare_options options;
	enum outcome_form form;
	int time_unit;
	bool demangle;
};

/* The files of the command beside standard output, in the order in which they are named. */
enum { OUTCOME_FILES = 4 };
extern const enum flag_id outcome_files[OUTCOME_FILES];

/* Returns true after a message if one of them would replace the file at `path`, which is a `what`;
 * NULL: there is none. */
bool outcome_replaces(const struct flags *flags, const char *what, const char *path);

/* Reads the options. Returns 0, or -1 after one message. */
int outcome_begin(struct outcome *outcome, const struct flags *flags);

/* Compares the runs, each side having one at least, and prints the result. Returns the exit code of
 * the tool. */
int outcome_print(const struct outcome *outcome, const struct runs *runs);

/* Reads a number of an option. Returns 0, or -1 after a message if it is not in these bounds. */
int outcome_number(const struct flags *flags, enum flag_id id, unsigned least, unsigned most,
		   unsigned *number);

#endif

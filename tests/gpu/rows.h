/* SPDX-License-Identifier: MIT */
#ifndef GPU_ROWS_H
#define GPU_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "logtext.h"
#include "parts.h"

/*
 * Compares the logs of a run with what the programs expected. Keys are columns; for each:
 *	KEY=VALUE	exactly this text; A|B is one of two; an empty VALUE is an empty field
 *	KEY=@NAME	rows with the same name have the same number, with another name another
 *			number, and none has 1
 *	KEY=~NAME:W:R	W warps' instructions: each has executed as many as those of other rows
 *			with this name, or, after R rounds of a loop instead of others, in
 *			proportion (see linear.h)
 *	KEY=+		any text
 *	KEY>=N KEY<=N	a number within
 *	call=BEFORE:AFTER	the call was made between these nanoseconds: cputime is not
 *			longer, and the time stamps of all such rows fit the program's clock
 *	device=N	not a column: whose log has the row; 0 otherwise
 * And for every row the device times must make sense: neither 0 nor reversed, and gputime their
 * difference.
 */
void rows_check(const struct run *run);

/* For other checks. The logs of a run are log.PID.DEVICE: calls `each` for every file of `folder`
 * whose name starts with `prefix`. Returns their number. */
size_t rows_files(const char *folder, const char *prefix,
		  void (*each)(const char *path, void *user), void *user);

/* Returns the number of rows in all logs of the run. */
size_t rows_count(const struct run *run);

/* Finds the first expectation that starts with `words`, of any process, and returns the rest. */
bool rows_note(const char *folder, const char *words, char value[LOGTEXT_VALUE]);

/* Returns true if a line of the file `name` in the folder contains the words. */
bool rows_said(const char *folder, const char *name, const char *words);

#endif

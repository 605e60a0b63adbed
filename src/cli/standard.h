/* SPDX-License-Identifier: MIT */
#ifndef CLI_STANDARD_H
#define CLI_STANDARD_H

/* The standard descriptors of the tool and of computeprof-mpi. */

/* A standard descriptor that is closed is opened on /dev/null, in a way that reading and writing
 * fail as before. Otherwise a file of the tool gets its number, and messages go into that file. A
 * program that is run does not inherit it. */
void standard_fill(void);

/* Writes the rest of stdout. A full disk or a closed stdout is an error of the tool, too: returns
 * the exit code, which is `code` unless there was an error. */
int standard_close(int code);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_COPIES_H
#define CLI_COPIES_H

/*
 * Inputs of merge and diff with the records of one process: a copy of a trace, also one that was
 * made while the program ran, and the database of a trace. The one with the most records counts, or
 * the first of equal ones. Two traces of one process without a common record both count: recovery
 * writes a second one if it cannot continue the first.
 */

/* Which files are compared: all with a process, or only traces of single records. */
enum copies_of { COPIES_OF_ALL, COPIES_OF_RECORDS };

/* Sets reasons[i] to one sentence, to be freed, if the file list[i] is left out; else to NULL.
 * Logs, JSON, merged traces and files that cannot be read have none. Returns -1 without memory. */
int copies_find(char *const *list, int count, enum copies_of what, char **reasons);

#endif

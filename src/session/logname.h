/* SPDX-License-Identifier: MIT */
#ifndef SESSION_LOGNAME_H
#define SESSION_LOGNAME_H

#include "session/logs.h"

/* The names of logs and traces, and messages about files that cannot be opened. */

/* Chooses the name of a log (or, with log NULL, of the trace) that no other log or process uses;
 * opens and empties the file. Returns 0 and the mapped absolute `path`, or -1 with errno. */
int logs_open_name(struct logs *logs, const struct log_file *log, const char *pattern,
		   struct file *file, char **path);

/* Returns the second part of a message about a file that cannot be written: the consequence for the
 * program. */
const char *logs_consequence(bool recovering);

/* Returns the term for the file: log, API log or, for NULL, trace. */
const char *logs_term(const struct log_file *log);

/* Prints that a log (or the trace, with `log` NULL) cannot be written to a file of this name, with
 * the reason in errno. */
void logs_say_refused(const struct logs *logs, const struct log_file *log, const char *pattern);

/* Copies the path to mapped memory, as for log_file.path; NULL without memory. */
char *logs_keep_path(const char *path, size_t length);

#endif

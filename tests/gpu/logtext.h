/* SPDX-License-Identifier: MIT */
#ifndef GPU_LOGTEXT_H
#define GPU_LOGTEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A log in CSV, read without a line of the profiler's own code, and files of lines. All texts
 * belong to the struct and go with logtext_free.
 */
struct logtext {
	char *text;
	char **columns; /* NULL at the end */
	char **rows;
	size_t row_count;
	size_t notes; /* NV_Warning and NV_Error lines */
};

enum { LOGTEXT_VALUE = 256 }; /* longer values are cut */

/* False if there is no such file, or no column line in it. */
bool logtext_read(struct logtext *log, const char *path);
void logtext_free(struct logtext *log);

/* The value of a row; "" where it has none. False if the log has no such column. */
bool logtext_value(const struct logtext *log, size_t row, const char *column,
		   char value[LOGTEXT_VALUE]);

/* The whole file with a 0 behind it, to be freed; NULL if there is none. */
char *logtext_load(const char *path);

#endif

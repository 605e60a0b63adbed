/* SPDX-License-Identifier: MIT */
#ifndef GPU_LOGTEXT_H
#define GPU_LOGTEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads a CSV log without any code of the profiler, and files of lines. The struct owns all texts;
 * logtext_free frees them.
 */
struct logtext {
	char *text;
	char **columns; /* NULL at the end */
	char **rows;
	size_t row_count;
	size_t notes; /* NV_Warning and NV_Error lines */
};

enum { LOGTEXT_VALUE = 256 }; /* longer values are cut */

/* Returns false if there is no such file, or it has no column line. */
bool logtext_read(struct logtext *log, const char *path);
void logtext_free(struct logtext *log);

/* Gets the value of a row; "" if it has none. Returns false if the log has no such column. */
bool logtext_value(const struct logtext *log, size_t row, const char *column,
		   char value[LOGTEXT_VALUE]);

/* Returns the whole file with a final 0; NULL if there is none. The caller frees it. */
char *logtext_load(const char *path);

#endif

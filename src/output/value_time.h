/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_VALUE_TIME_H
#define OUTPUT_VALUE_TIME_H

#include "output/output.h"

/* Writes the record's value in a column that is a time: of a type other than COLUMN_FIELD,
 * COLUMN_REAL and COLUMN_METHOD. Returns the end of the text. */
char *value_time_write(char *to, const struct output_target *target, const struct record *record,
		       const struct column *column);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_APILOG_H
#define OUTPUT_APILOG_H

#include "model/event.h"
#include "output/output.h"

/*
 * The form of an API log, a log with one row for each call of the program. Times are microseconds
 * with three decimals, so no nanosecond is lost. Of the target, layout.api, layout.format, catalog
 * and warnings are used.
 */

/* Appends everything before the first row. */
void apilog_open(const struct output_target *target, struct strbuf *to);

/* Appends a row; nothing without memory. */
void apilog_write(const struct output_target *target, const struct call *call, struct strbuf *to);

#endif

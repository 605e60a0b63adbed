/* SPDX-License-Identifier: MIT */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "base/strbuf.h"

/* Prints the lists of the manual pages as man(7) source, made from the tables that the parsers
 * use. Each list follows a comment line .\" @NAME@, or .\" @NAME COMMAND@ for the page of a
 * command; doc/computeprof*.1.in include it by a line @NAME@ or @NAME COMMAND@. */
void manual_print(void);

/* Appends `text` with roff's special characters escaped. */
void manual_text(struct strbuf *to, const char *text);

#endif

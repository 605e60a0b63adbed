/* SPDX-License-Identifier: MIT */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "base/strbuf.h"

/* The lists of the manual page as man(7) source, from the tables that the parsers read. Each
 * stands behind a comment line .\" @NAME@, and doc/computeprof.1.in has a line @NAME@ for it. */
void manual_print(void);

/* Appends text with what roff would take for itself escaped. */
void manual_text(struct strbuf *to, const char *text);

#endif

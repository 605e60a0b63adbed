/* SPDX-License-Identifier: MIT */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "base/strbuf.h"

/* The lists of the manual page as man(7) source, from the tables that the parsers read. */
void manual_print(void);

/* Appends text with what roff would take for itself escaped. */
void manual_text(struct strbuf *to, const char *text);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_VARIABLES_H
#define CLI_VARIABLES_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Variables with names like those of settings that are no settings. The library prints nothing
 * about them, as the drivers' profilers did; the tool prints a message.
 */

/* Returns true if `entry`, "NAME=VALUE", is such a variable with a value, and appends a sentence
 * without a full stop. A name that begins with COMPUTEPROF_ is one only if it is similar to that of
 * a setting: scripts and builds have variables of that prefix, too. */
bool variables_unknown(struct strbuf *to, const char *entry);

#endif

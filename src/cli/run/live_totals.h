/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_LIVE_TOTALS_H
#define CLI_RUN_LIVE_TOTALS_H

#include "base/strbuf.h"

/* Appends the running totals of a process that runs, as they are now, as a whole trace. `path` is
 * its ring file. Returns 0, or -1 if it keeps none or they cannot be read. */
int live_totals_read(const char *path, struct strbuf *to);

#endif

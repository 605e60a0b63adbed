/* SPDX-License-Identifier: MIT */
#ifndef GPU_SETTINGS_H
#define GPU_SETTINGS_H

#include "parts.h"

/* The environments of parts: the current one without a profiler's variables, and those that the run
 * needs. Free them with settings_free. */
char **settings_alone(const struct part *part);
/* Also writes the configuration file to `folder`. Logs are named log.PID.DEVICE. */
char **settings_profiled(const struct part *part, const char *folder);
void settings_free(char **environment);

/* Returns CONFORMANCE_SLOW, at least 1. */
double settings_slow(void);

#endif

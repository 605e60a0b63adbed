/* SPDX-License-Identifier: MIT */
#ifndef GPU_SETTINGS_H
#define GPU_SETTINGS_H

#include "parts.h"

/* The environments that parts are run in: ours without anything of a profiler's, and what the run
 * needs. To be freed with settings_free. */
char **settings_alone(const struct part *part);
/* Writes the configuration file into `folder`, too. Logs are called log.PID.DEVICE. */
char **settings_profiled(const struct part *part, const char *folder);
void settings_free(char **environment);

/* CONFORMANCE_SLOW, at least 1. */
double settings_slow(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_CONTROL_H
#define SESSION_CONTROL_H

#include <stdbool.h>

#include "settings/settings.h"

/* The program's calls that switch recording on and off. */

/* For computeprof_start and computeprof_stop, called before the back ends are notified. It also
 * applies to back ends that attach later. */
void control_switch(bool on);

/* The program has switched one back end by that API's own call. Marks, which belong to no back end,
 * follow the last call. The tool is notified once per process. */
void control_switched(bool on);

/* Returns true if marks are recorded now. */
bool control_wants_marks(const struct settings *settings);

/* Returns true if a back end that attaches now starts recording. If not, the tool is notified. */
bool control_starts_recording(const struct settings *settings);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_CONTROL_H
#define SESSION_CONTROL_H

#include <stdbool.h>

#include "settings/settings.h"

/* What the program itself says of whether it wants to be recorded. */

/* For computeprof_start and computeprof_stop, before the back ends hear of it: what holds for those
 * that come later, too. */
void control_ask(bool on);

/* The program has said the same of one back end by another way: marks, which belong to no back end,
 * go by what was said last. The tool is told, once per process. */
void control_heard(bool on);

/* Whether marks are wanted now. */
bool control_wants_marks(const struct settings *settings);

/* Whether a back end that comes now records at once. If not, the tool is told that it waits. */
bool control_begins(const struct settings *settings);

#endif

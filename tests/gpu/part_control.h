/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_CONTROL_H
#define GPU_PART_CONTROL_H

#include "parts.h"

int control_windows(const struct part *part, const char *step);	   /* T11 */
int control_initialize(const struct part *part, const char *step); /* T12 */

void check_initialize(const struct run *run);

#endif

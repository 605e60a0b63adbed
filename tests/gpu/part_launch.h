/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_LAUNCH_H
#define GPU_PART_LAUNCH_H

#include "parts.h"

/* The programs for single launches. */
int launch_one(const struct part *part, const char *step);     /* T4 */
int launch_spin(const struct part *part, const char *step);    /* T5 */
int launch_calls(const struct part *part, const char *step);   /* T6 */
int launch_sweep(const struct part *part, const char *step);   /* T7 */
int launch_many(const struct part *part, const char *step);    /* T18 */
int launch_threads(const struct part *part, const char *step); /* T19 */

void check_many(const struct run *run);
void check_threads(const struct run *run);

#endif

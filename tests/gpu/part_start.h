/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_START_H
#define GPU_PART_START_H

#include "parts.h"

/* The ways in which the profiler is loaded into a process, also beside another profiler. */
int start_one(const struct part *part, const char *step);	 /* T1 */
int start_family(const struct part *part, const char *step);	 /* T2 */
int start_subscribed(const struct part *part, const char *step); /* T3: the profiler comes second */
int start_refused(const struct part *part, const char *step);	 /* T3: the profiler comes first */
int start_torch(const struct part *part, const char *step);	 /* T20 */

void check_witness(const struct run *run);
void check_subscribed(const struct run *run);
void check_refused(const struct run *run);
void check_torch(const struct run *run);

#endif

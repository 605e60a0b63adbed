/* SPDX-License-Identifier: MIT */
#ifndef GPU_COUNTING_H
#define GPU_COUNTING_H

#include "work.h"

/* For the programs of parts with hardware counters. */

enum counting_need {
	COUNTING_ANY,	  /* events or metrics */
	COUNTING_METRICS, /* PerfWorks metrics: compute capability 7.5 and later */
	COUNTING_THREADS, /* threads_launched, which some devices do not count */
};

/* As work_begin; the part is skipped if libcupti cannot measure the device, or only for other
 * users. */
void counting_begin(enum counting_need need);

/* Returns true if this process may not read counters: the driver restricts them, and the user has
 * no rights. On the fakes, which do not check the user, it depends on CONFORMANCE_REFUSED in the
 * environment. */
bool counting_is_refused(void);

unsigned long long counting_blocks(const struct launch *launch);
unsigned long long counting_warps(const struct launch *launch);

/* As work_launch, with more words of expectation, formatted as by printf. */
void counting_launch(const struct launch *launch, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BENCH_RECORDS_H
#define TESTS_BENCH_RECORDS_H

/* What tests/bench/records has instead of CUPTI, the driver, and the parts of the back end that
 * speak with them. Kernels are as long as those of CUPTI 13.0. */
enum { PLAY_KERNEL = 216 };

/* Numbers of calls. */
enum { PLAY_LAUNCH = 307, PLAY_GRAPH = 514, PLAY_RUNTIME = 211, PLAY_CALLS = 600 };

/* Before all else. */
void play_begin(void);

#endif

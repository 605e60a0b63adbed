/* SPDX-License-Identifier: MIT */
#ifndef TESTS_BENCH_RECORDS_H
#define TESTS_BENCH_RECORDS_H

/* Replacements for CUPTI, the driver, and the parts of the back end that call them, for
 * tests/bench/records. Kernel records have the length of CUPTI 13.0. */
enum { PLAY_KERNEL = 216 };

/* Numbers of calls. */
enum { PLAY_LAUNCH = 307, PLAY_GRAPH = 514, PLAY_RUNTIME = 211, PLAY_CALLS = 600 };

/* Call before all other functions. */
void play_begin(void);

#endif

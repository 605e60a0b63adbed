/* SPDX-License-Identifier: MIT */
#ifndef GPU_FACTS_H
#define GPU_FACTS_H

/* Prints the data that the driver, libcupti and libc report, as lines NAME: VALUE. Returns 0, or
 * WORK_SKIPPED with one sentence without a driver. */
int facts_print(void);

/* Keeps the driver initialized until it is killed, so that others need not wait for that: on some
 * machines it takes seconds whenever no process uses a device. */
int facts_hold(void);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef GPU_FACTS_H
#define GPU_FACTS_H

/* Prints what the driver, libcupti and libc say of themselves, as lines NAME: VALUE. 0, or
 * WORK_SKIPPED with one sentence if there is no driver. */
int facts_print(void);

/* Keeps the driver started until it is killed, so that others need not wait for that: on some
 * machines it takes seconds, each time that nobody has used a device. */
int facts_hold(void);

#endif

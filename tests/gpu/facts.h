/* SPDX-License-Identifier: MIT */
#ifndef GPU_FACTS_H
#define GPU_FACTS_H

/* Prints what the driver, libcupti and libc say of themselves, as lines NAME: VALUE. 0, or
 * WORK_SKIPPED with one sentence if there is no driver. */
int facts_print(void);

#endif

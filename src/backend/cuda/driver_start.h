/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_DRIVER_START_H
#define BACKEND_CUDA_DRIVER_START_H

#include <stdbool.h>

/*
 * The start of the CUDA driver. The driver loads the library within the program's cuInit, which may
 * still fail, for example because there is no device.
 */

/* Returns true if the driver is loaded and has started: it has devices. */
bool driver_start_is_over(void);

/* Calls `then` once, on a thread of the library, when the driver has started. That is never the
 * case if the program's cuInit fails; the thread ends after a minute then. Returns 0, or -1 if
 * there is no driver or no thread. Call at most once. */
int driver_start_wait(void (*then)(void));

#endif

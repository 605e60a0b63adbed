/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_LIBCUPTI_H
#define BACKEND_CUDA_LIBCUPTI_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/* Opens the first libcupti (libcupti_path.h) that is not too new for the driver and fills `cupti`;
 * never closes it. Returns 0; or -1 after a message if there is none. */
int libcupti_open(void);

/* Returns true if no function of the opened libcupti may be called before the driver has started:
 * those of CUDA 13.2 call themselves without end if the driver cannot start. */
bool library_needs_driver(void);

/* Returns true if this result of library_start may be due to a driver that has not started, which
 * matters from CUDA 13.2 on. */
bool library_may_wait(int result);

/* Calls `start`, which makes the first calls of the opened libcupti, and returns its result, an
 * enum cupti_result. */
int library_start(int (*start)(void));

/* Prints that nothing is logged, with this result of library_start. */
void library_say_refused(int result);

/* Prints that nothing is logged, since the opened libcupti needs a driver. */
void library_say_no_driver(void);

/* Returns the CUPTI_API_VERSION of libcupti: 10 is CUDA 9.0, 18 is 11.8, 130000 is 13.0. */
uint32_t libcupti_version(void);

/* Returns libcupti's text for `result`. Valid until the next calls: of at least 15 numbers that
 * libcupti has no text for. */
const char *libcupti_error(int result);

#endif

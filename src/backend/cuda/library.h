/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_LIBRARY_H
#define BACKEND_CUDA_LIBRARY_H

#include <stdint.h>

#include "backend/cuda/cupti.h"

/* Opens the first libcupti (libcupti_path.h) that is not too new for the driver, fills `cupti` and
 * calls `start`; never closes it. Returns 0; or -1 after a message if there is none or `start` has
 * not returned CUPTI_DONE. */
int library_open(int (*start)(void));

/* Returns its CUPTI_API_VERSION: 10 is CUDA 9.0, 18 is 11.8, 130000 is 13.0. */
uint32_t library_version(void);

/* Returns its text for `result`. */
const char *library_error(int result);

#endif

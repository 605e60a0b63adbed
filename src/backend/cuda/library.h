/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_LIBRARY_H
#define BACKEND_CUDA_LIBRARY_H

#include <stdint.h>

#include "backend/cuda/cupti.h"

/* Opens a libcupti (places.h) for which `start` returns CUPTI_DONE, and fills `cupti` from it; it
 * is never closed. 0; or -1, when the reason has been said. */
int library_open(int (*start)(void));

/* CUPTI_API_VERSION of it: 10 is CUDA 9.0, 18 is 11.8, 130000 is 13.0. */
uint32_t library_version(void);

/* What it says `result` is. */
const char *library_error(int result);

#endif

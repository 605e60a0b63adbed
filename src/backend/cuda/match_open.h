/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_OPEN_H
#define BACKEND_CUDA_MATCH_OPEN_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/match.h"

/* The calls whose work has not come yet, and how long rows wait for it. Only for match.c. */

/* With space for this number, more than twice the number that can be open. Returns 0, or -1 without
 * memory. */
int match_open_init(uint32_t most);

/* Adds a call that should have work. */
void match_open_add(uint32_t correlation);

#endif

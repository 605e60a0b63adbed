/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_WAITING_H
#define BACKEND_CUDA_MATCH_WAITING_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/match.h"

/* The calls whose work has not come yet, and how long rows wait for it. Only for match.c. */

/* With space for this number, more than twice the number that can be open. Returns 0, or -1 without
 * memory. */
int match_waiting_init(uint32_t most);

/* Adds a call that should have work. */
void match_waiting_add(uint32_t correlation);

#endif

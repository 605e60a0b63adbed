/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_OPEN_H
#define BACKEND_CUDA_MATCH_OPEN_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/match.h"

/* The calls whose work has not come yet: how long rows wait for it. For match.c alone. */

/* With room for so many, which are more than twice as many as can be open. 0, or -1 without
 * memory. */
int match_open_init(uint32_t most);

/* A call that should have work. */
void match_open_add(uint32_t correlation);

#endif

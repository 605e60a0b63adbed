/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_MATCH_OPEN_H
#define BACKEND_CUDA_MATCH_OPEN_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/match.h"

/*
 * The calls whose work has not come yet: how long rows wait for it. Between match.c, which knows
 * the calls, and match_open.c alone.
 */

/* With room for so many, which are more than twice as many as can be open. 0, or -1 without
 * memory. */
int match_open_init(uint32_t most);

/* A call that should have work. */
void match_open_add(uint32_t correlation);

/*
 * In match.c:
 *   match_open_call  the call if no work of it has been handed on, or NULL
 *   match_has_work   whether it has some that waits to be handed on
 *   match_give_up    its work is counted as lost
 */
const struct match_call *match_open_call(uint32_t correlation);
bool match_has_work(uint32_t correlation);
void match_give_up(uint32_t correlation);

#endif

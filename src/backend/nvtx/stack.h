/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_NVTX_STACK_H
#define BACKEND_NVTX_STACK_H

#include <stdint.h>

/* The ranges that this thread has pushed and not popped: of all domains on one stack, since each
 * is popped for its domain alone. */

/* The level of the new range in its domain, from 0; -1 without memory or beyond STACK_DEPTH. */
enum { STACK_DEPTH = 1 << 16 };

int stack_push(uint32_t domain, uint64_t id);

/* The level of the domain's newest range, which is taken out, and its id; -1 if there is none. */
int stack_pop(uint32_t domain, uint64_t *id);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_NVTX_STACK_H
#define BACKEND_NVTX_STACK_H

#include <stdint.h>

/* The ranges that this thread has pushed and not popped. One stack has those of all domains; a pop
 * applies to one domain. */

/* Pushes a range. Returns its level in its domain, from 0; -1 without memory or beyond
 * STACK_DEPTH. */
enum { STACK_DEPTH = 1 << 16 };

int stack_push(uint32_t domain, uint64_t id);

/* Pops the domain's newest range. Returns its level and its id; -1 if there is none. */
int stack_pop(uint32_t domain, uint64_t *id);

#endif

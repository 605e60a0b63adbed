/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_PENDING_USES_H
#define BACKEND_CUDA_PENDING_USES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"

/*
 * The uses of memory by commands (struct use). They are noted when a call is entered, in the
 * program's thread, and wait for CUPTI's record of its command, which has the same correlation id.
 * The newest ones of a limited number are kept.
 */

/* Uses are recorded. False: the others need not be called, which makes each record cheaper. */
extern bool pending_uses_on;

/* Sets pending_uses_on. Returns 0, or -1 without memory. Call once. */
int pending_uses_start(void);

/* Adds a use of the call with this id. Of `use`, the members from address to argument, and the
 * flags, are set. */
void pending_uses_add(uint32_t correlation, const struct use *use);

/* The call has failed: it has no uses. */
void pending_uses_drop(uint32_t correlation);

/* Called in collect, with a record that session_take has taken: delivers the uses of its call. */
void pending_uses_deliver(uint32_t correlation, const struct record *record);

#endif

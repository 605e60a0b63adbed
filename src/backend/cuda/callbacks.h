/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CALLBACKS_H
#define BACKEND_CUDA_CALLBACKS_H

#include <stdint.h>

/* CUPTI calls this for every subscribed call (subscription.h). */
void callbacks_called(void *user, uint32_t domain, uint32_t callback, const void *data);

/* The same if call stacks are requested: a call costs nothing more without them. */
void callbacks_called_for_stacks(void *user, uint32_t domain, uint32_t callback, const void *data);

/* The same if uses of memory are requested, with or without stacks. */
void callbacks_called_for_uses(void *user, uint32_t domain, uint32_t callback, const void *data);

#endif

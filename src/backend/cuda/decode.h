/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_DECODE_H
#define BACKEND_CUDA_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/* Sets whether CUPTI is flushed by force: work without an end is still running then. */
void decode_at_the_end(bool now);

/* Decodes a record of any CUPTI release since CUDA 6.5 and passes it to match.h or drops it. `name`
 * is a kernel's name id. */
void decode(const struct cupti_record *record, uint32_t name);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_DECODE_H
#define BACKEND_CUDA_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/* Whether CUPTI was made to give out everything: work without an end still runs then. */
void decode_at_the_end(bool now);

/* Takes one of CUPTI's records, of any release since CUDA 6.5, to pieces: into match.h, or
 * nowhere. `name` is a kernel's in the catalog. */
void decode(const struct cupti_record *record, uint32_t name);

#endif

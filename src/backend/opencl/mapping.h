/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_MAPPING_H
#define BACKEND_OPENCL_MAPPING_H

#include <stdint.h>

#include "backend/opencl/command.h"

/*
 * What the program has mapped, so that an unmap can say how many bytes. A mapping is known by its
 * memory object (NULL for shared virtual memory) and its address.
 */
void mapping_add(cl_mem mem, const void *address, uint64_t bytes);

/* Its bytes, or 0; it is forgotten. */
uint64_t mapping_take(cl_mem mem, const void *address);

/* What mapping `memory` for `flags` does, before it is known where. */
struct copy mapping_copy(enum memory memory, cl_map_flags flags, uint64_t bytes);

#endif

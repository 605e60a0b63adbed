/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_MAPPING_H
#define BACKEND_OPENCL_MAPPING_H

#include <stdint.h>

#include "backend/opencl/command.h"

/*
 * The program's mappings, so that an unmap has a size. A mapping is identified by its memory object
 * (NULL for shared virtual memory) and its address.
 */
void mapping_add(cl_mem mem, const void *address, uint64_t bytes);

/* Removes the mapping and returns its bytes, or 0. */
uint64_t mapping_take(cl_mem mem, const void *address);

/* Describes the copy by mapping `memory` with `flags`, before its address is known. */
struct copy mapping_copy(enum memory memory, cl_map_flags flags, uint64_t bytes);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_RANGE_H
#define BACKEND_OPENCL_RANGE_H

#include <stdbool.h>
#include <stddef.h>

/* Sets of address ranges in the program's memory. Look-ups take no lock. Ranges that find no free
 * entry are dropped. */
enum range_set {
	RANGE_PAGE_LOCKED, /* mapped buffers in page-locked memory */
	RANGE_SHARED,	   /* shared virtual memory */
	RANGE_SETS
};

void range_add(enum range_set set, const void *begin, size_t size);
void range_remove(enum range_set set, const void *begin);
bool range_has(enum range_set set, const void *address);

#endif

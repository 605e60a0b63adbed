/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_ADDRESS_RANGE_H
#define BACKEND_OPENCL_ADDRESS_RANGE_H

#include <stdbool.h>
#include <stddef.h>

/* Sets of address ranges in the program's memory. Look-ups take no lock. Ranges that find no free
 * entry are dropped. */
enum address_range_set {
	ADDRESS_RANGE_PAGE_LOCKED, /* mapped buffers in page-locked memory */
	ADDRESS_RANGE_SHARED,	   /* shared virtual memory */
	ADDRESS_RANGE_SETS
};

void address_range_add(enum address_range_set set, const void *begin, size_t size);
void address_range_remove(enum address_range_set set, const void *begin);

/* Returns the start of the range that has the address, or NULL; sets `size` to the range's. */
const void *address_range_find(enum address_range_set set, const void *address, size_t *size);
bool address_range_has(enum address_range_set set, const void *address);

#endif

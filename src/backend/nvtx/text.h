/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_NVTX_TEXT_H
#define BACKEND_NVTX_TEXT_H

#include <stdint.h>
#include <wchar.h>

/* The texts of NVTX as ids in the name table; 0 for none. Registered strings and domains are handed
 * to the program as such an id, so there is nothing to keep of them. A text of more than
 * TEXT_LENGTH bytes is cut and ends in TEXT_CUT. */
enum { TEXT_LENGTH = 4096 };
#define TEXT_CUT "..."

uint32_t text_of(const char *text);
uint32_t text_of_wide(const wchar_t *text);

static inline const void *text_handle(uint32_t id)
{
	return (const void *)(uintptr_t)id;
}

static inline uint32_t text_of_handle(const void *handle)
{
	return (uint32_t)(uintptr_t)handle;
}

/* What the program calls a category of a domain. Those beyond CATEGORIES stay without a name. */
enum { CATEGORIES = 1 << 10 };

void category_name(uint32_t domain, uint32_t category, uint32_t name);
uint32_t category_find(uint32_t domain, uint32_t category);

#endif

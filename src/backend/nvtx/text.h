/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_NVTX_TEXT_H
#define BACKEND_NVTX_TEXT_H

#include <stdint.h>
#include <wchar.h>

/* The texts of NVTX as ids of the name table; 0 for none. The handles of registered strings and
 * domains that the program gets are such ids, so no table of them is needed. A text of more than
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

/* The names of the categories of a domain. Categories beyond CATEGORIES have no name. */
enum { CATEGORIES = 1 << 10 };

void category_name(uint32_t domain, uint32_t category, uint32_t name);
uint32_t category_find(uint32_t domain, uint32_t category);

#endif

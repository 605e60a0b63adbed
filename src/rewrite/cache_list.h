/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_CACHE_LIST_H
#define REWRITE_CACHE_LIST_H

#include <stdint.h>

/* Files that have not got their name yet begin so. */
#define CACHE_LIST_UNNAMED "new."

enum { CACHE_LIST_NAME = 64 /* bytes of such a name, at most */ };

/* Removes entries of an open folder, those that were used last at the end, until all together take
 * at most `most` bytes; and the files that interrupted processes have left. */
void cache_list_trim(int folder, uint64_t most);

/* Returns the number of entries. Stores the bytes that they take. */
uint64_t cache_list_count(int folder, uint64_t *size);

#endif

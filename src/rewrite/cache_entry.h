/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_CACHE_ENTRY_H
#define REWRITE_CACHE_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

enum {
	CACHE_REQUEST,	/* all that decides about the result, except included files */
	CACHE_INCLUDED, /* what was read for #include */
	CACHE_MESSAGES,
	CACHE_RESULT,
	CACHE_PARTS
};

enum { CACHE_NAME = 33 /* with a NUL */ };

struct cache_part {
	const char *data;
	size_t size; /* bytes */
};

struct cache_hash {
	uint64_t words[2];
};

struct cache_hash cache_hash(const void *data, size_t size);

/* The name of the file of an entry: the hash of its request. */
void cache_entry_name(char name[CACHE_NAME], const struct cache_part *request);

/* Reads an entry of an open folder into `room`, to which the parts point. Returns false if there is
 * none, or if it is not whole, not a regular file, not the user's own or writable by others. */
bool cache_entry_read(int folder, const char *name, struct strbuf *room,
		      struct cache_part parts[CACHE_PARTS]);

/* Adds an entry of at most `most` bytes, or replaces it, at once. Returns false without one. */
bool cache_entry_write(int folder, const char *name, const struct cache_part parts[CACHE_PARTS],
		       uint64_t most);

#endif

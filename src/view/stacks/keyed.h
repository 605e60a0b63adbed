/* SPDX-License-Identifier: MIT */
#ifndef VIEW_STACKS_KEYED_H
#define VIEW_STACKS_KEYED_H

#include <stddef.h>
#include <stdint.h>

/* A table of structs that begin with their key, numbered from 0 in the order of their addition. */
struct keyed {
	uint32_t key_size;   /* bytes; there is no padding among them */
	uint32_t entry_size; /* bytes, key included */
	uint32_t count;
	uint32_t room;
	char *entries; /* moves when one is added */
	uint32_t *buckets;
	uint32_t bucket_count;
};

enum { KEYED_FULL = UINT32_MAX };

/* Returns the number of the entry with this key. If there is none, adds one, with zeros after the
 * key. Returns KEYED_FULL without memory. */
uint32_t keyed_get(struct keyed *table, const void *key);
void *keyed_at(const struct keyed *table, uint32_t number);
void keyed_free(struct keyed *table); /* and the entries; the sizes stay */

#endif

/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_ARENA_H
#define REWRITE_ARENA_H

#include <stddef.h>

enum { ARENA_EXIT = 3 };

/* Memory that is freed at once. Without memory, or beyond 512 MiB, the program ends with a message
 * and the exit code ARENA_EXIT. */
struct arena {
	struct arena_block *blocks;
	size_t size; /* of all blocks */
};

/* Returns `size` bytes of value 0, aligned for every type. */
void *arena_take(struct arena *arena, size_t size);

/* Returns a NUL-terminated copy of `length` bytes. */
char *arena_copy(struct arena *arena, const char *bytes, size_t length);

/* Returns a formatted string. */
char *arena_print(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void arena_free(struct arena *arena);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_INCLUSION_H
#define REWRITE_INCLUSION_H

#include <stdbool.h>
#include <stddef.h>

#include "rewrite/arena.h"

/* A file that a source includes, or one that was searched and is not there. */
struct inclusion {
	struct inclusion *next;
	const char *path;
	const char *text; /* NULL: it is not there */
	size_t length;
	bool is_included; /* not only searched or compared */
};

/* Returns the text of a regular file of at most 64 MiB, and NULL for others. Appends it to
 * the list, unless its path is there already. */
const char *inclusion_read(struct arena *arena, struct inclusion **list, const char *path,
			   size_t *length);

/* Marks a file of the list as included. */
void inclusion_use(struct inclusion *list, const char *path);

#endif

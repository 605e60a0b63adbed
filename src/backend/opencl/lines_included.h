/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_LINES_INCLUDED_H
#define BACKEND_OPENCL_LINES_INCLUDED_H

#include <stddef.h>

#include "base/strbuf.h"

/* The files that a source includes. computeprof-rewrite reads them later than the driver. */

/* A file as it was when the driver read it. */
struct lines_included {
	struct lines_included *next;
	struct strbuf path, text;
};

/* Call before each build of a program. */
void lines_included_build(void);

/* Reads the files that the table of a rewritten source names. Returns NULL, or words without a full
 * stop if they may be others than those that the driver has read: valid as long as `room` is. The
 * caller frees the list in any case. */
const char *lines_included_read(struct lines_included **list, const char *rewritten,
				struct strbuf *room);
void lines_included_free(struct lines_included *list);

/* Returns the text of the file with this path, or NULL. */
const char *lines_included_text(struct lines_included *list, const char *path, size_t length);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_PREPROCESS_H
#define REWRITE_PREPROCESS_H

#include "base/strbuf.h"
#include "rewrite/inclusion.h"
#include "rewrite/macro.h"

/* Where a token of the text comes from. */
struct place {
	size_t offset; /* in the text */
	struct origin at;
};

/* A source in one text: the program's own macros are expanded, its files included, its conditions
 * decided. Macros of the compiler are left. */
struct preprocessed {
	struct arena *arena;
	struct macros macros;	    /* initially the compiler's, and those of the build options */
	const char *const *folders; /* of -I; ends with NULL */
	struct strbuf text;
	struct place *places;
	size_t count, capacity;
	struct inclusion *inclusions; /* in the order in which they were read first */
	/* Why the text is not complete: NULL if it is. With its place. */
	const char *error;
	struct origin error_at;
};

/* Preprocesses a source. Returns 0, or -1 with an error. */
int preprocess(struct preprocessed *to, const char *file, const char *source, size_t length);

/* Returns the place of the token that has the byte at an offset of the text. */
struct origin preprocess_origin(const struct preprocessed *from, size_t offset);

void preprocess_free(struct preprocessed *preprocessed);

#endif

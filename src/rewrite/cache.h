/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_CACHE_H
#define REWRITE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "rewrite/cache_entry.h"
#include "rewrite/rewrite.h"

enum { CACHE_KIB = 128 << 10 /* size of all entries */ };

/* A folder of results (cache_folder.h). A result that cannot be read or written is no error: the
 * source is rewritten. */
struct cache {
	bool is_on;
	uint64_t most; /* bytes of all entries */
	struct strbuf request;
	char name[CACHE_NAME];
};

/* Tells the cache what is rewritten. `compiler` is what tells it from others (compiler.h). */
void cache_begin(struct cache *cache, const struct rewrite_request *request,
		 const struct strbuf *compiler, const struct strbuf *source);

/* Appends the kept result of the same request, if there is one and the included files are the same.
 * Returns false, and appends nothing, without one. */
bool cache_find(struct cache *cache, struct rewrite_result *to);

/* Keeps the result of the request. */
void cache_keep(struct cache *cache, const struct rewrite_result *result);

void cache_end(struct cache *cache);

/* Appends a line without a newline: where results are kept, or why they are not. Returns true if
 * new ones are kept, as far as that is known without trying. */
bool cache_describe(struct strbuf *to);

#endif

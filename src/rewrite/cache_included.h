/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_CACHE_INCLUDED_H
#define REWRITE_CACHE_INCLUDED_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "rewrite/cache_entry.h"
#include "rewrite/inclusion.h"

/* Appends the paths of these files, and the hashes of their texts. */
void cache_included_put(struct strbuf *to, const struct inclusion *list);

/* Returns true if all these files have the same texts now, and if those that were not there are not
 * there now. */
bool cache_included_holds(const struct cache_part *part);

#endif

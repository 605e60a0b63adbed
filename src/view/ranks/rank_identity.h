/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_IDENTITY_H
#define VIEW_RANKS_RANK_IDENTITY_H

#include "view/ranks/rank_sums.h"

/*
 * Which process a file is of, so that none counts twice: its id with its start, which traces,
 * databases of computeprof and merged sums have. A merged trace has those of all its processes.
 */

/* Returns a key for maps, never 0. */
uint64_t rank_identity_key(uint32_t pid, uint64_t started);

/* Appends the sentence about a merged trace, `found` of whose `count` processes are in other
 * inputs, one of them in `other`. */
void rank_identity_put_twice(struct strbuf *to, const char *path, size_t found, size_t count,
			     const char *other);

/* Returns 1 with one sentence if a process of `from` is in `sums`, also as one of a merged trace or
 * from a copy of its file; else 0. */
int rank_identity_find_twice(const struct rank_sums *sums, const struct rank_sums *from,
			     struct strbuf *error);

/* Appends a sentence if it cannot be told whether two inputs have the same process. Returns -1
 * without memory. */
int rank_identity_put_unknown(const struct rank_sums *sums, struct strbuf *to);

#endif

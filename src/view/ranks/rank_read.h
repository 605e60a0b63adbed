/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_READ_H
#define VIEW_RANKS_RANK_READ_H

#include "view/format/jsonread.h"
#include "view/ranks/rank_sums.h"

/* Adds our own JSON to empty sums: that of one or several processes, or what rank_json_put has
 * written. `path` is that of the file. Returns 0, or -1 with one sentence in `error` and a part of
 * the file added. */
int rank_read(struct rank_sums *sums, const struct json_value *file, const char *path,
	      struct strbuf *error);

#endif

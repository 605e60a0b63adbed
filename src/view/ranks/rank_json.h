/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_JSON_H
#define VIEW_RANKS_RANK_JSON_H

#include "view/ranks/rank_rows.h"

/* The first bytes. */
#define RANK_JSON_START "{\"version\": 1, \"by\": \""

/* Appends the sums with the table as JSON (doc/FORMAT), which rank_read reads. */
void rank_json_put(struct strbuf *to, struct rank_rows *rows);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_ACCESSORS_H
#define REWRITE_ACCESSORS_H

#include "rewrite/unit.h"

enum { ACCESSORS_WORDS = 16 }; /* 32-bit words of a site's counters */

/* Appends the functions that the changed source calls. `stripes`, a power of two, is the number of
 * sets of counters: each work-group uses one of them. */
void accessors_put(const struct unit *unit, unsigned stripes, struct strbuf *to);

#endif

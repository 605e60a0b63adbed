/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_REUSE_H
#define VIEW_ADVISE_REUSE_H

#include "view/advise/objects.h"

/*
 * Sets `reuses` of each object whose memory could be that of another one: of the same size, kind
 * and context, whose last use has ended when this one's first use begins, but which is not released
 * yet. The memory of an object is given to one other object only, and may then be given on. Also
 * sets the needed memory of the places. Returns 0, or -1 with one sentence in `error`.
 */
int reuse_find(struct objects *objects, struct strbuf *error);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_ADVICE_SVG_H
#define VIEW_ADVISE_ADVICE_SVG_H

#include "view/advise/advice.h"

/* Appends the pictures of the contexts as a part of an SVG file, from `*top` pixels on, and moves
 * `*top` below them. Returns -1 without memory. */
int advice_put_pictures(struct strbuf *to, struct advice *advice, unsigned *top);

/* The file around them. */
void advice_begin_svg(struct strbuf *to, unsigned height);
void advice_end_svg(struct strbuf *to);

#endif

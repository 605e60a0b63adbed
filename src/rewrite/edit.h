/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_EDIT_H
#define REWRITE_EDIT_H

#include "rewrite/unit.h"

/* Inserts text before an offset. Of several texts, that with the lowest `order` (of the outermost
 * expression) comes first. */
void edit_before(struct unit *unit, struct function *function, unsigned offset, unsigned order,
		 const char *text);

/* Inserts text behind an expression that ends at an offset. Of several texts, that with the highest
 * `order` (of the innermost expression) comes first. */
void edit_behind(struct unit *unit, struct function *function, unsigned offset, unsigned order,
		 const char *text);

void edit_replace(struct unit *unit, struct function *function, unsigned offset, unsigned end,
		  const char *text);

/* Appends the text from `start` up to `end` with a function's changes. */
void edit_apply(struct unit *unit, const struct function *function, unsigned start, unsigned end,
		struct strbuf *to);

#endif

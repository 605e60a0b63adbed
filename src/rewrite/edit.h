/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_EDIT_H
#define REWRITE_EDIT_H

#include "rewrite/unit.h"

/* Adds text before an offset: that of outer expressions first. */
void edit_before(struct unit *unit, struct function *function, unsigned offset, unsigned order,
		 const char *text);

/* Adds text behind what ends at an offset: that of inner expressions first. */
void edit_behind(struct unit *unit, struct function *function, unsigned offset, unsigned order,
		 const char *text);

void edit_replace(struct unit *unit, struct function *function, unsigned offset, unsigned end,
		  const char *text);

/* Appends the text from `start` up to `end` with a function's changes. */
void edit_apply(struct unit *unit, const struct function *function, unsigned start, unsigned end,
		struct strbuf *to);

#endif

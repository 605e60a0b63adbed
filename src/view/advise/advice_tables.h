/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_ADVICE_TABLES_H
#define VIEW_ADVISE_ADVICE_TABLES_H

#include "view/advise/advice.h"

struct advice_page {
	bool csv;
	unsigned width; /* of the terminal; 0: names are never shortened */
};

/* Appends the tables: the peak of each context, the objects at the peak, and the findings. Text has
 * the first rows only, CSV all. Returns -1 without memory. */
int advice_put_tables(struct strbuf *to, struct advice *advice, const struct advice_page *options);

/* Appends a line for the summary of a program, after `start`: the largest peak of a context, and
 * the kinds of findings. */
void advice_put_note(struct strbuf *to, const struct advice *advice, const char *start);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_COMPARE_PAGE_H
#define VIEW_COMPARE_COMPARE_PAGE_H

#include "view/compare/compare.h"

/* Appends the comparison as a page for a browser: the verdict, the environments, the notes, and the
 * rows with a picture of each change and of the runs. */
void compare_put_page(struct strbuf *to, struct comparison *comparison);

#endif

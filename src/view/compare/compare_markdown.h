/* SPDX-License-Identifier: MIT */
#ifndef VIEW_COMPARE_COMPARE_MARKDOWN_H
#define VIEW_COMPARE_COMPARE_MARKDOWN_H

#include "view/compare/compare.h"

/* Appends the comparison as a Markdown table for pull requests. */
void compare_put_markdown(struct strbuf *to, struct comparison *comparison);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PAGE_PAGE_HEAD_H
#define VIEW_PAGE_PAGE_HEAD_H

#include "base/strbuf.h"

/* Append the beginning of a page up to the open body, and its end with the script. The page loads
 * nothing, and its policy forbids it. `title` is plain text. */
void page_head_put(struct strbuf *to, const struct strbuf *title);
void page_head_put_end(struct strbuf *to);

#endif

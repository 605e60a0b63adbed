/* SPDX-License-Identifier: MIT */
#ifndef VIEW_FORMAT_XMLTEXT_H
#define VIEW_FORMAT_XMLTEXT_H

#include "base/strbuf.h"

/* Appends valid UTF-8 without control characters, escaped for elements and attributes of XML.
 * U+FFFE and U+FFFF, which XML does not allow, become question marks. */
void xml_put(struct strbuf *to, const char *text, size_t length);

#endif

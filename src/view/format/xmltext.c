/* SPDX-License-Identifier: MIT */
#include "view/format/xmltext.h"

#include <string.h>

void xml_put(struct strbuf *to, const char *text, size_t length)
{
	static const char *const names[UINT8_MAX + 1] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
	};

	for (size_t i = 0; i < length; i++) {
		const char *name = names[(unsigned char)text[i]];

		if (name) {
			strbuf_string(to, name);
		} else if (length - i >= 3 && (!memcmp(text + i, "\xef\xbf\xbe", 3) ||
					       !memcmp(text + i, "\xef\xbf\xbf", 3))) {
			strbuf_char(to, '?');
			i += 2;
		} else {
			strbuf_char(to, text[i]);
		}
	}
}

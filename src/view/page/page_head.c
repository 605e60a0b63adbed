/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "view/page/page_head.h"

#include "view/format/xmltext.h"
#include "view/page/page_text.h"

void page_head_put(struct strbuf *to, const struct strbuf *title)
{
	strbuf_string(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
			  "'none'; script-src 'sha256-");
	strbuf_string(to, page_script_hash);
	strbuf_string(to, "'; style-src 'sha256-");
	strbuf_string(to, page_style_hash);
	strbuf_string(to, "'; base-uri 'none'; form-action 'none'\">\n"
			  "<meta name=\"viewport\" content=\"width=device-width\">\n"
			  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	xml_put(to, title->data, title->length);
	strbuf_string(to, " - " PACKAGE_NAME "</title>\n<style>");
	strbuf_string(to, page_style);
	strbuf_string(to, "</style>\n</head>\n<body>\n");
}

void page_head_put_end(struct strbuf *to)
{
	strbuf_string(to, "<script>");
	strbuf_string(to, page_script);
	strbuf_string(to, "</script>\n</body>\n</html>\n");
}

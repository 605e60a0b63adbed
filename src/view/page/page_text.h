/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PAGE_PAGE_TEXT_H
#define VIEW_PAGE_PAGE_TEXT_H

/* The page's script and style: page.js and page.css, which the build makes a source of (embed),
 * and for the page's policy the SHA-256 of each in base64. */
extern const char page_script[];
extern const char page_script_hash[];
extern const char page_style[];
extern const char page_style_hash[];

#endif

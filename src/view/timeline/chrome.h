/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_CHROME_H
#define VIEW_TIMELINE_CHROME_H

#include "view/view.h"

/*
 * Chrome's trace event format, which ui.perfetto.dev, chrome://tracing and Speedscope open; as it
 * is, and gzipped, as all of them take it, too. doc/FORMAT section 14 says what is in it.
 */
extern const struct view view_chrome;
extern const struct view view_chrome_gz;

#endif

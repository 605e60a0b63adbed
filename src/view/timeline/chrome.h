/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_CHROME_H
#define VIEW_TIMELINE_CHROME_H

#include "view/view.h"

/*
 * Chrome's trace event format for ui.perfetto.dev, chrome://tracing and Speedscope, plain and
 * gzipped; all of them read both. doc/FORMAT section 14 describes the contents.
 */
extern const struct view view_chrome;
extern const struct view view_chrome_gz;

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_PFTRACE_H
#define VIEW_TIMELINE_PFTRACE_H

#include "view/view.h"

/* Perfetto's own format, protocol buffers, with the clocks and flows that trace events lack.
 * doc/FORMAT section 14 says what is in it. */
extern const struct view view_pftrace;

#endif

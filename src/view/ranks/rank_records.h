/* SPDX-License-Identifier: MIT */
#ifndef VIEW_RANKS_RANK_RECORDS_H
#define VIEW_RANKS_RANK_RECORDS_H

#include "view/view.h"

/*
 * One trace with the records and events of all parts of a stream, as those of one process, in the
 * order of their aligned times, then of the parts. The parts have ranks (stream_set_ranks). Sorted
 * by view/stream/external_sort.h, so memory does not grow with their number.
 *
 * The process has no id, the command of the first part, and its clock. The trace counts as cut off
 * if a part does. It is not in the list of views, as its extension is that of other traces.
 */
extern const struct view rank_records_view;

#endif

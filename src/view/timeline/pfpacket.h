/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_PFPACKET_H
#define VIEW_TIMELINE_PFPACKET_H

#include "view/timeline/timeline.h"

/* The packets of a Perfetto trace, and the numbers of what is in them. */

/* Places of what has a number, in a process: itself, its devices, its tracks. */
enum { PFPACKET_PROCESS = 1, PFPACKET_DEVICE = 2, PFPACKET_TRACK = 1 << 13 };

/* The number of a thing of this process in the file. Files of several processes may be put one
 * behind the other: no two have the same. */
uint64_t pfpacket_uuid(const struct timeline *timeline, uint64_t place);

/* The number of a track. */
uint64_t pfpacket_track(const struct timeline *timeline, const struct track *track);

/* Begins a packet, which protobuf_end ends. */
size_t pfpacket_begin(struct timeline *timeline, uint64_t flags);

#endif

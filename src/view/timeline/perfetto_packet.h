/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_PERFETTO_PACKET_H
#define VIEW_TIMELINE_PERFETTO_PACKET_H

#include "view/timeline/timeline.h"

/* The packets of a Perfetto trace, and its ids. */

/* The id spaces of a process: itself, its devices, its tracks. */
enum { PFPACKET_PROCESS = 1, PFPACKET_DEVICE = 2, PFPACKET_TRACK = 1 << 13 };

/* Returns the file's id of an object of this process. Ids are unique also after files of several
 * processes are concatenated. */
uint64_t perfetto_packet_uuid(const struct timeline *timeline, uint64_t place);

/* Returns the id of a track. */
uint64_t perfetto_packet_track(const struct timeline *timeline, const struct track *track);

/* Starts a packet; protobuf_end ends it. */
size_t perfetto_packet_begin(struct timeline *timeline, uint64_t flags);

#endif

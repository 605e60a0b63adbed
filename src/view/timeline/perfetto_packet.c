/* SPDX-License-Identifier: MIT */
#include "view/timeline/perfetto_packet.h"

#include "view/format/protobuf.h"
#include "view/timeline/perfetto_field.h"

_Static_assert(PFPACKET_DEVICE + CATALOG_DEVICES < PFPACKET_TRACK, "numbers must differ");

uint64_t perfetto_packet_uuid(const struct timeline *timeline, uint64_t place)
{
	return (uint64_t)timeline_key(timeline) << 32 | place;
}

uint64_t perfetto_packet_track(const struct timeline *timeline, const struct track *track)
{
	return perfetto_packet_uuid(timeline, PFPACKET_TRACK + (uint64_t)track->number);
}

size_t perfetto_packet_begin(struct timeline *timeline, uint64_t flags)
{
	struct strbuf *to = &timeline->sink.text;
	size_t packet = protobuf_begin(to, TRACE_PACKET);

	protobuf_number(to, PACKET_SEQUENCE_ID, 1);
	protobuf_number(to, PACKET_SEQUENCE_FLAGS, flags);
	return packet;
}

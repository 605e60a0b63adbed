/* SPDX-License-Identifier: MIT */
#include "view/timeline/track.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "model/api.h"
#include "model/event.h"
#include "output/escape.h"
#include "view/timeline/lane.h"

/* A thread or a queue. */
struct owner {
	uint32_t ordinal;
	uint32_t first; /* 1 + index of its first lane */
	uint32_t lanes; /* lanes that were made, including dropped ones */
};

struct tracks {
	struct map owners;   /* from key_of to struct owner */
	struct owner *owner; /* TRACK_OWNERS, mapped lazily, as are the lanes */
	struct lane *lane;
	uint32_t owner_count;
	uint32_t lane_count;
	uint32_t ordinals;
	uint32_t numbers;
};

enum { OWNERS_SIZE = TRACK_OWNERS * sizeof(struct owner) };
enum { LANES_SIZE = TRACK_LANES * sizeof(struct lane) };

struct tracks *tracks_new(void)
{
	struct tracks *tracks = calloc(1, sizeof(*tracks));

	if (!tracks)
		return NULL;
	tracks->owner = memory_map(OWNERS_SIZE);
	tracks->lane = memory_map(LANES_SIZE);
	if (tracks->owner && tracks->lane)
		return tracks;
	tracks_free(tracks);
	return NULL;
}

void tracks_free(struct tracks *tracks)
{
	if (!tracks)
		return;
	map_free(&tracks->owners);
	memory_unmap(tracks->owner, OWNERS_SIZE);
	memory_unmap(tracks->lane, LANES_SIZE);
	free(tracks);
}

/* Not 0, and unique per owner: contexts have 16 bits, devices 12, names at most 20. */
static uint64_t key_of(const struct track *track)
{
	if (track->role == TRACK_MEMORY)
		return UINT64_C(3) << 62 | (uint64_t)track->is_queue << 61 |
		       (uint64_t)track->context << 16 | track->memory;
	if (!track->is_queue)
		return UINT64_C(1) << 63 | (uint64_t)track->role << 60 |
		       (uint64_t)(track->domain & ((1 << 28) - 1)) << 32 | track->thread;
	return UINT64_C(1) << 62 | (uint64_t)track->has_stream << 61 |
	       (uint64_t)track->context << 45 | (uint64_t)track->device << 32 | track->stream;
}

/* Returns NULL when there are too many. */
static struct owner *owner_of(struct tracks *tracks, uint64_t key)
{
	struct owner *owner = map_get(&tracks->owners, key);

	if (owner)
		return owner;
	if (tracks->owner_count == TRACK_OWNERS)
		return NULL;
	owner = &tracks->owner[tracks->owner_count];
	if (map_set(&tracks->owners, key, owner))
		return NULL;
	tracks->owner_count++;
	*owner = (struct owner){.ordinal = tracks->ordinals++};
	return owner;
}

static void number(struct tracks *tracks, struct track *track)
{
	track->number = ++tracks->numbers;
	track->is_new = true;
}

/* Adds a lane after the last one, whose link to the next is *link. */
static void add_lane(struct tracks *tracks, struct owner *owner, struct track *track,
		     uint32_t *link, uint64_t start, uint64_t end)
{
	struct lane *lane;

	number(tracks, track);
	track->lane = ++owner->lanes;
	if (track->lane > TRACK_DEPTH || tracks->lane_count == TRACK_LANES)
		return;
	lane = &tracks->lane[tracks->lane_count];
	*link = ++tracks->lane_count;
	lane->number = track->number;
	lane_take(lane, start, end);
}

/* Uses the first lane with room from *link on, the first of which is track->lane. */
static void use_lane(struct tracks *tracks, struct owner *owner, struct track *track,
		     uint32_t *link, uint64_t start, uint64_t end)
{
	for (; *link; link = &tracks->lane[*link - 1].next, track->lane++) {
		struct lane *lane = &tracks->lane[*link - 1];

		if (lane_take(lane, start, end)) {
			track->number = lane->number;
			return;
		}
	}
	add_lane(tracks, owner, track, link, start, end);
}

static void place(struct tracks *tracks, struct track *track, uint64_t start, uint64_t end)
{
	struct owner *owner = owner_of(tracks, key_of(track));

	if (!owner) {
		track->owner = tracks->ordinals++;
		track->lane = 1;
		number(tracks, track);
		return;
	}
	track->owner = owner->ordinal;
	track->lane = 1;
	use_lane(tracks, owner, track, &owner->first, start, end);
}

struct track tracks_of_role(struct tracks *tracks, const struct track *wanted, uint64_t start,
			    uint64_t end)
{
	struct track track = *wanted;

	place(tracks, &track, start, end);
	return track;
}

struct track tracks_nested(struct tracks *tracks, const struct track *wanted, uint64_t start,
			   uint64_t end, bool is_open)
{
	struct track track = *wanted;
	struct owner *owner = owner_of(tracks, key_of(&track));
	struct lane *lane;

	track.owner = owner ? owner->ordinal : tracks->ordinals++;
	track.lane = 1;
	if (owner && owner->first) {
		lane = &tracks->lane[owner->first - 1];
		track.number = lane->number;
		if (lane_nest(lane, start, end, is_open))
			return track;
		track.lane = 2;
		use_lane(tracks, owner, &track, &lane->next, start, end);
		return track;
	}
	number(tracks, &track);
	if (owner && tracks->lane_count < TRACK_LANES) {
		lane = &tracks->lane[tracks->lane_count];
		lane->number = track.number;
		lane_nest(lane, start, end, is_open);
		owner->lanes = 1;
		owner->first = ++tracks->lane_count;
	}
	return track;
}

struct track tracks_of_thread(struct tracks *tracks, uint32_t thread, uint64_t start, uint64_t end)
{
	struct track track = {.thread = thread};

	place(tracks, &track, start, end);
	return track;
}

struct track tracks_of_queue(struct tracks *tracks, const struct record *record, uint64_t start,
			     uint64_t end)
{
	struct track track = {
		.is_queue = true,
		.has_stream = record->known & KNOWN_STREAM,
		.device = record->device,
		.context = record->context,
	};

	if (track.has_stream)
		track.stream = record->stream;
	place(tracks, &track, start, end);
	return track;
}

static void name_queue(const struct track *track, const struct catalog *catalog, struct strbuf *to)
{
	const struct context *context = catalog_context(catalog, track->context);

	if (!context)
		return strbuf_string(to, "unknown context");
	strbuf_printf(to, "context %u", context->index + 1);
	if (track->has_stream)
		strbuf_printf(to, " %s %u", api_row(context->api)->queue, track->stream);
}

static const char *const role_words[] = {
	[TRACK_CALLS] = "",
	[TRACK_RANGES] = "ranges",
	[TRACK_WAITS] = "waits",
	[TRACK_OVERHEAD] = "overhead of profiling",
};

static void name_role(const struct track *track, const struct catalog *catalog, struct strbuf *to)
{
	size_t length = 0;
	const char *domain =
		track->domain ? names_text(catalog->names, track->domain, &length) : NULL;

	if (track->thread)
		strbuf_printf(to, "thread %u ", track->thread);
	strbuf_string(to, role_words[track->role]);
	if (!length)
		return;
	strbuf_string(to, " of ");
	escape_put(to, domain, length, ESCAPE_TEXT);
}

static const char *const memory_words[] = {
	[MEMORY_KIND_UNKNOWN] = "",	  [MEMORY_KIND_PAGEABLE] = "pageable ",
	[MEMORY_KIND_PINNED] = "pinned ", [MEMORY_KIND_DEVICE] = "device ",
	[MEMORY_KIND_ARRAY] = "array ",	  [MEMORY_KIND_MANAGED] = "managed ",
	[MEMORY_KIND_STATIC] = "static ", [MEMORY_KIND_PIPE] = "pipe ",
};

static void name_memory(const struct track *track, const struct catalog *catalog, struct strbuf *to)
{
	if (track->is_queue) {
		name_queue(track, catalog, to);
		strbuf_char(to, ' ');
	}
	strbuf_string(to, memory_words[track->memory]);
	strbuf_string(to, "memory in use");
}

void track_name(const struct track *track, const struct catalog *catalog, struct strbuf *to)
{
	if (track->role == TRACK_MEMORY)
		name_memory(track, catalog, to);
	else if (track->is_queue)
		name_queue(track, catalog, to);
	else if (track->role != TRACK_CALLS)
		name_role(track, catalog, to);
	else if (track->thread)
		strbuf_printf(to, "thread %u", track->thread);
	else
		strbuf_string(to, "unknown thread");
	if (track->lane > 1)
		strbuf_printf(to, " (%u)", track->lane);
}

uint32_t track_rank(const struct track *track)
{
	uint32_t lane = track->lane <= TRACK_DEPTH ? track->lane - 1 : TRACK_DEPTH;

	/* Viewers store it as a signed number. */
	return track->owner < 1 << 23 ? track->owner << 7 | lane : (UINT32_C(1) << 30) + lane;
}

/* SPDX-License-Identifier: MIT */
#include "view/stream/ordered.h"

#include <stdlib.h>
#include <string.h>

#include "view/stream/external_sort.h"
#include "view/stream/recent_map.h"
#include "view/stream/spill_queue.h"

/* A side without a partner so far; its bytes follow. */
struct unpaired {
	uint64_t key;
	uint64_t time;
	uint64_t then;
	uint64_t number;  /* in the order of adding; a pair has that of its first */
	uint64_t seconds; /* of a first; 0: it is a second */
};

/* The head of a pair that is sorted by time; the bytes of both sides follow. */
struct pair_head {
	uint32_t ordinal;
	uint8_t has_first;
	uint8_t has_second;
	uint8_t again;
	uint8_t padding;
};

enum { SIDE_FIRST, SIDE_SECOND, SIDES };

struct ordered {
	struct ordered_options options;
	struct recent_map near[SIDES]; /* struct unpaired */
	struct spill_queue *early;     /* struct unpaired: seconds before any first */
	struct external_sort *by_key;  /* struct unpaired */
	struct external_sort *by_time; /* struct pair_head; NULL: not wanted */
	uint64_t number;
	bool has_firsts; /* a first that may have seconds was added */
	/* While the sides sorted by key are joined: the latest first. */
	struct unpaired *latest;
	bool is_joined; /* a second of it came */
	char scratch[sizeof(struct pair_head) + 2 * ORDERED_BYTES_MOST];
};

static size_t rounded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

static size_t unpaired_size(const struct ordered *ordered, int side)
{
	return sizeof(struct unpaired) + rounded(side == SIDE_FIRST ? ordered->options.first_size
								    : ordered->options.second_size);
}

struct ordered *ordered_new(const struct ordered_options *options)
{
	struct ordered *ordered;

	if (options->first_size > ORDERED_BYTES_MOST || options->second_size > ORDERED_BYTES_MOST)
		return NULL;
	ordered = calloc(1, sizeof(*ordered));
	if (!ordered)
		return NULL;
	ordered->options = *options;
	ordered->latest = calloc(1, unpaired_size(ordered, SIDE_FIRST));
	ordered->early = spill_queue_new(unpaired_size(ordered, SIDE_SECOND));
	ordered->by_key = external_sort_new(0);
	ordered->by_time = options->by_time ? external_sort_new(0) : NULL;
	if (ordered->latest && ordered->early && ordered->by_key &&
	    (ordered->by_time || !options->by_time) &&
	    !recent_map_open(&ordered->near[SIDE_FIRST], ORDERED_NEAR,
			     unpaired_size(ordered, SIDE_FIRST)) &&
	    !recent_map_open(&ordered->near[SIDE_SECOND], ORDERED_NEAR,
			     unpaired_size(ordered, SIDE_SECOND)))
		return ordered;
	ordered_free(ordered);
	return NULL;
}

void ordered_free(struct ordered *ordered)
{
	if (!ordered)
		return;
	for (int side = 0; side < SIDES; side++)
		recent_map_close(&ordered->near[side]);
	spill_queue_free(ordered->early);
	external_sort_free(ordered->by_key);
	external_sort_free(ordered->by_time);
	free(ordered->latest);
	free(ordered);
}

/* Passes a pair, or a single side, to the view or to the sort by time. */
static int leave(struct ordered *ordered, const struct unpaired *first,
		 const struct unpaired *second, bool again, struct strbuf *error)
{
	const struct ordered_options *options = &ordered->options;
	const struct unpaired *of = first ? first : second;
	struct ordered_pair pair = {
		.first = first ? first + 1 : NULL,
		.second = second ? second + 1 : NULL,
		.again = again,
		.ordinal = first && second ? second->key - first->key : 0,
	};
	struct pair_head head = {
		.ordinal = (uint32_t)pair.ordinal, /* less than first->seconds */
		.has_first = first != NULL,
		.has_second = second != NULL,
		.again = again,
	};
	char *end = ordered->scratch + sizeof(head);
	struct sort_item item = {of->time, of->then, of->number, ordered->scratch, 0};

	if (options->firsts_only && (!first || again))
		return 0;
	if (!ordered->by_time)
		return options->take(options->context, &pair, error);
	memcpy(ordered->scratch, &head, sizeof(head));
	if (first)
		memcpy(end, pair.first, options->first_size);
	end += first ? rounded(options->first_size) : 0;
	if (second)
		memcpy(end, pair.second, options->second_size);
	end += second ? rounded(options->second_size) : 0;
	item.size = (size_t)(end - ordered->scratch);
	return external_sort_add(ordered->by_time, &item, error);
}

static int sort_by_key(struct ordered *ordered, const struct unpaired *unpaired, int side,
		       struct strbuf *error)
{
	const struct sort_item item = {
		.key = unpaired->key,
		.second = (uint64_t)side,
		.third = unpaired->number,
		.bytes = unpaired,
		.size = unpaired_size(ordered, side),
	};

	return external_sort_add(ordered->by_key, &item, error);
}

/* Keeps a side until its partner comes; the oldest one is moved to the sort if the table is
 * full. */
static int keep_near(struct ordered *ordered, const struct unpaired *unpaired, int side,
		     struct strbuf *error)
{
	struct recent_map *near = &ordered->near[side];

	if (recent_map_is_full(near) &&
	    sort_by_key(ordered, recent_map_take_oldest(near), side, error))
		return -1;
	memcpy(recent_map_add(near, unpaired->key), unpaired, unpaired_size(ordered, side));
	return 0;
}

/* Of several seconds with one key, the earliest is near. */
static int keep_second(struct ordered *ordered, const struct unpaired *second, struct strbuf *error)
{
	return recent_map_find(&ordered->near[SIDE_SECOND], second->key)
		       ? sort_by_key(ordered, second, SIDE_SECOND, error)
		       : keep_near(ordered, second, SIDE_SECOND, error);
}

/* Stores the side as one without a partner in `room`. */
static struct unpaired *make_unpaired(struct ordered *ordered, const struct ordered_side *side,
				      uint32_t seconds, void *room)
{
	struct unpaired *unpaired = room;

	*unpaired = (struct unpaired){.key = side->key,
				      .time = side->time,
				      .then = side->then,
				      .number = ordered->number++,
				      .seconds = seconds};
	memcpy(unpaired + 1, side->bytes, side->size);
	return unpaired;
}

/* Without any first they are passed on in the order of adding. */
static int give_early(struct ordered *ordered, const struct unpaired *second, struct strbuf *error)
{
	if (!ordered->has_firsts)
		return leave(ordered, NULL, second, false, error);
	return keep_second(ordered, second, error);
}

static int end_early(struct ordered *ordered, struct strbuf *error)
{
	const void *second;
	int found;

	while ((found = spill_queue_next(ordered->early, &second, error)) > 0)
		if (give_early(ordered, second, error))
			return -1;
	spill_queue_free(ordered->early);
	ordered->early = NULL;
	return found;
}

/* Spilled sides are joined at the end. */
static int begin_firsts(struct ordered *ordered, struct strbuf *error)
{
	ordered->has_firsts = true;
	return spill_queue_has_spilled(ordered->early) ? 0 : end_early(ordered, error);
}

int ordered_add_first(struct ordered *ordered, const struct ordered_side *side, uint32_t seconds,
		      struct strbuf *error)
{
	uint64_t room[(sizeof(struct unpaired) + ORDERED_BYTES_MOST) / sizeof(uint64_t)];
	const struct unpaired *second,
		*first = make_unpaired(ordered, side, seconds, room);

	if (!seconds)
		return leave(ordered, first, NULL, false, error);
	if (!ordered->has_firsts && begin_firsts(ordered, error))
		return -1;
	/* The order of several seconds is known after the last of them. */
	if (seconds > 1)
		return sort_by_key(ordered, first, SIDE_FIRST, error);
	/* Another first that claims the same second is joined to it. */
	if (recent_map_find(&ordered->near[SIDE_FIRST], side->key))
		return leave(ordered, first, NULL, false, error);
	second = recent_map_take(&ordered->near[SIDE_SECOND], side->key);
	return second ? leave(ordered, first, second, false, error)
		      : keep_near(ordered, first, SIDE_FIRST, error);
}

int ordered_add_second(struct ordered *ordered, const struct ordered_side *side,
		       struct strbuf *error)
{
	uint64_t room[(sizeof(struct unpaired) + ORDERED_BYTES_MOST) / sizeof(uint64_t)];
	const struct unpaired *first,
		*second = make_unpaired(ordered, side, 0, room);

	/* Many streams have no calls. */
	if (!ordered->has_firsts)
		return spill_queue_add(ordered->early, second, error);
	first = recent_map_take(&ordered->near[SIDE_FIRST], side->key);
	return first ? leave(ordered, first, second, false, error)
		     : keep_second(ordered, second, error);
}

static int sort_near(struct ordered *ordered, int side, struct strbuf *error)
{
	const struct unpaired *unpaired;

	while ((unpaired = recent_map_take_oldest(&ordered->near[side])))
		if (sort_by_key(ordered, unpaired, side, error))
			return -1;
	return 0;
}

static int leave_latest(struct ordered *ordered, struct strbuf *error)
{
	if (!ordered->latest->seconds || ordered->is_joined)
		return 0;
	return leave(ordered, ordered->latest, NULL, false, error);
}

/* Returns true if the first `latest` claims each second that `next` claims. The key of `next` is
 * not lower. */
static bool claims_all_of(const struct unpaired *latest, const struct unpaired *next)
{
	uint64_t before = next->key - latest->key;

	return before < latest->seconds && next->seconds <= latest->seconds - before;
}

/* In the order of keys, a first is directly before its seconds. Of firsts with common seconds, the
 * one that claims the highest key is kept. */
static int join_next(struct ordered *ordered, const struct unpaired *next, struct strbuf *error)
{
	const struct unpaired *first = ordered->latest;
	bool again = ordered->is_joined;

	if (next->seconds) {
		if (claims_all_of(first, next))
			return leave(ordered, next, NULL, false, error);
		if (leave_latest(ordered, error))
			return -1;
		memcpy(ordered->latest, next, unpaired_size(ordered, SIDE_FIRST));
		ordered->is_joined = false;
		return 0;
	}
	if (next->key - first->key >= first->seconds)
		return leave(ordered, NULL, next, false, error);
	ordered->is_joined = true;
	return leave(ordered, first, next, again, error);
}

static int join_by_key(struct ordered *ordered, struct strbuf *error)
{
	struct sort_item item;
	int found;

	while ((found = external_sort_next(ordered->by_key, &item, error)) > 0)
		if (join_next(ordered, item.bytes, error))
			return -1;
	return found ? -1 : leave_latest(ordered, error);
}

static int give_by_time(struct ordered *ordered, struct strbuf *error)
{
	const struct ordered_options *options = &ordered->options;
	struct sort_item item;
	int found;

	while ((found = external_sort_next(ordered->by_time, &item, error)) > 0) {
		const struct pair_head *head = item.bytes;
		const char *bytes = (const void *)(head + 1);
		struct ordered_pair pair = {.again = head->again, .ordinal = head->ordinal};

		if (head->has_first) {
			pair.first = bytes;
			bytes += rounded(options->first_size);
		}
		if (head->has_second)
			pair.second = bytes;
		if (options->take(options->context, &pair, error))
			return -1;
	}
	return found;
}

int ordered_end(struct ordered *ordered, struct strbuf *error)
{
	if ((ordered->early && end_early(ordered, error)) ||
	    sort_near(ordered, SIDE_FIRST, error) || sort_near(ordered, SIDE_SECOND, error) ||
	    join_by_key(ordered, error))
		return -1;
	return ordered->by_time ? give_by_time(ordered, error) : 0;
}

/* SPDX-License-Identifier: MIT */
#include "view/timeline/lane.h"

#include <string.h>

/* Returns the number of spans that begin at `start` or before. It searches from the end, since most
 * events come in order. */
static uint32_t find(const struct lane *lane, uint64_t start)
{
	uint32_t at = lane->count;

	while (at && lane->spans[at - 1].start > start)
		at--;
	return at;
}

/* Merges the span `at` with the next one. */
static void join(struct lane *lane, uint32_t at)
{
	struct span *span = &lane->spans[at];

	span->end = span[1].end;
	lane->count--;
	memmove(span + 1, span + 2, (lane->count - at - 1) * sizeof(*span));
}

static void insert(struct lane *lane, uint32_t at, uint64_t start, uint64_t end)
{
	struct span *span;

	if (lane->count == LANE_SPANS && at > LANE_SPANS / 2) {
		join(lane, 0);
		at--;
	} else if (lane->count == LANE_SPANS) {
		join(lane, LANE_SPANS - 2);
	}
	span = &lane->spans[at];
	memmove(span + 1, span, (lane->count - at) * sizeof(*span));
	*span = (struct span){.start = start, .end = end};
	lane->count++;
}

bool lane_take(struct lane *lane, uint64_t start, uint64_t end)
{
	uint32_t at = find(lane, start);
	struct span *before = at ? &lane->spans[at - 1] : NULL;

	if (start == end)
		return !before || before->end <= start || before->start == start;
	if (before && before->end > start)
		return false;
	if (at < lane->count && lane->spans[at].start <= end)
		return false;
	if (before && before->end == start)
		before->end = end;
	else
		insert(lane, at, start, end);
	return true;
}

bool lane_nest(struct lane *lane, uint64_t start, uint64_t end, bool is_open)
{
	uint32_t at = find(lane, start), inside = 0;
	struct span *span = at ? &lane->spans[at - 1] : NULL;

	if (start == end)
		return true;
	if (span && span->end > start && (is_open || span->start == start))
		return false;
	if (is_open)
		return true;
	if (span && span->end > start)
		at--;
	while (at + inside < lane->count && lane->spans[at + inside].start < end) {
		span = &lane->spans[at + inside++];
		if (start > span->start)
			start = span->start;
		if (end < span->end)
			end = span->end;
	}
	lane->count -= inside;
	memmove(&lane->spans[at], &lane->spans[at + inside],
		(lane->count - at) * sizeof(*lane->spans));
	insert(lane, at, start, end);
	return true;
}

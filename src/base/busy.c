/* SPDX-License-Identifier: MIT */
#include "base/busy.h"

#include <stdbool.h>
#include <string.h>

/* Sums up the older half. */
static void sum_up(struct busy *busy)
{
	enum { HALF = BUSY_INTERVALS / 2 };

	for (unsigned i = 0; i < HALF; i++) {
		const struct span *interval = &busy->intervals[i];

		if (busy->horizon)
			busy->gaps += interval->start - busy->horizon;
		busy->horizon = interval->end;
	}
	busy->count -= HALF;
	memmove(busy->intervals, busy->intervals + HALF, busy->count * sizeof(*busy->intervals));
}

/* Time before the horizon fills gaps there. */
static void fill_gaps(struct busy *busy, uint64_t from)
{
	uint64_t filled = busy->horizon - from;

	if (filled > busy->gaps)
		filled = busy->gaps;
	busy->gaps -= filled;
	busy->ran += filled;
}

/* Returns the first interval that ends at `time` or later. */
static unsigned find(const struct busy *busy, uint64_t time)
{
	unsigned at = busy->count;

	while (at && busy->intervals[at - 1].end >= time)
		at--;
	return at;
}

static void put(struct busy *busy, uint64_t from, uint64_t to)
{
	unsigned at = find(busy, from), end = at;
	struct span *place = &busy->intervals[at];

	for (; end < busy->count && busy->intervals[end].start <= to; end++) {
		busy->ran -= busy->intervals[end].end - busy->intervals[end].start;
		if (busy->intervals[end].start < from)
			from = busy->intervals[end].start;
		if (busy->intervals[end].end > to)
			to = busy->intervals[end].end;
	}
	memmove(place + 1, busy->intervals + end, (busy->count - end) * sizeof(*place));
	*place = (struct span){from, to};
	busy->ran += to - from;
	busy->count = busy->count - (end - at) + 1;
}

/* The usual case: it starts in or after the last interval. */
static bool put_last(struct busy *busy, uint64_t from, uint64_t to)
{
	struct span *last = &busy->intervals[busy->count];

	if (!busy->count || from < last[-1].start)
		return false;
	if (from > last[-1].end) {
		*last = (struct span){from, to};
		busy->count++;
		busy->ran += to - from;
	} else if (to > last[-1].end) {
		busy->ran += to - last[-1].end;
		last[-1].end = to;
	}
	return true;
}

static void take_ends(struct busy *busy, uint64_t from, uint64_t to)
{
	if (!busy->any || from < busy->first)
		busy->first = from;
	if (to > busy->last)
		busy->last = to;
	busy->any = true;
}

void busy_add_sum(struct busy *sums, uint64_t from, uint64_t to, uint64_t busy)
{
	if (from > to)
		return;
	take_ends(sums, from, to);
	if (__builtin_add_overflow(sums->ran, busy, &sums->ran))
		sums->ran = UINT64_MAX;
}

bool busy_is_empty(const struct busy *busy)
{
	return !busy->any;
}

void busy_add(struct busy *busy, uint64_t from, uint64_t to)
{
	take_ends(busy, from, to);
	if (busy->count == BUSY_INTERVALS)
		sum_up(busy);
	if (from < busy->horizon) {
		fill_gaps(busy, from);
		from = busy->horizon;
	}
	if (from < to && !put_last(busy, from, to))
		put(busy, from, to);
}

uint64_t busy_span(const struct busy *busy)
{
	return busy->last - busy->first;
}

uint64_t busy_idle(const struct busy *busy)
{
	return busy_span(busy) - busy_time(busy);
}

uint64_t busy_time(const struct busy *busy)
{
	return busy->ran < busy_span(busy) ? busy->ran : busy_span(busy);
}

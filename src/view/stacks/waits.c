/* SPDX-License-Identifier: MIT */
#include "view/stacks/waits.h"

#include <stdlib.h>

enum {
	KEPT = 1 << 22,  /* commands, and waits */
	TRIES = 1 << 10, /* commands that are looked at for a wait */
};

static size_t limit_of(const struct waits *waits)
{
	return waits->limit ? waits->limit : KEPT;
}

/* Returns the place for one more, NULL without memory. */
static void *add(void **list, size_t *count, size_t *room, size_t size)
{
	if (*count == *room) {
		size_t more = *room ? 2 * *room : 256;
		void *larger = realloc(*list, more * size);

		if (!larger)
			return NULL;
		*list = larger;
		*room = more;
	}
	return (char *)*list + size * (*count)++;
}

int waits_add_record(struct waits *waits, const struct record *record, int64_t monotonic_to_epoch)
{
	void *list = waits->ends;
	struct wait_end *end;

	if (!(record->known & KNOWN_TIMES))
		return 0;
	if (waits->end_count == limit_of(waits)) {
		waits->more_ends++;
		return 0;
	}
	end = add(&list, &waits->end_count, &waits->end_room, sizeof(*end));
	waits->ends = list;
	if (!end)
		return -1;
	*end = (struct wait_end){
		.time = record->ended - (uint64_t)monotonic_to_epoch,
		.name = record->name,
		.kind = record->frame.kind,
		.context = record->context,
		.stream = record->known & KNOWN_STREAM ? record->stream : UINT32_MAX,
		.source = record->source,
		.target = record->target,
	};
	return 0;
}

int waits_add(struct waits *waits, const struct wait *wait)
{
	void *list = waits->waits;
	struct wait *place;

	if (waits->wait_count == limit_of(waits)) {
		waits->more_waits++;
		return 1;
	}
	place = add(&list, &waits->wait_count, &waits->wait_room, sizeof(*place));
	waits->waits = list;
	if (!place)
		return -1;
	*place = *wait;
	return 0;
}

void waits_put_message(struct strbuf *to, const struct waits *waits, uint32_t pid)
{
	if (waits->more_waits)
		strbuf_printf(to,
			      "process %u: of its waits for the GPU, %llu are not named after the "
			      "kernel that they waited for, as the first %zu are",
			      pid, (unsigned long long)waits->more_waits, waits->wait_count);
	if (waits->more_ends)
		strbuf_printf(to,
			      "%sprocess %u: waits are named after the first %zu kernels and "
			      "copies only; %llu more are not looked at",
			      to->length ? "\n" : "", pid, waits->end_count,
			      (unsigned long long)waits->more_ends);
}

void waits_free(struct waits *waits)
{
	free(waits->waits);
	free(waits->ends);
	*waits = (struct waits){0};
}

static int compare(const void *left, const void *right)
{
	const struct wait_end *one = left, *other = right;

	return one->time < other->time ? -1 : one->time > other->time;
}

void waits_sort(struct waits *waits)
{
	if (waits->end_count)
		qsort(waits->ends, waits->end_count, sizeof(*waits->ends), compare);
}

static bool may_be(const struct wait *wait, const struct wait_end *end)
{
	if (wait->context != UINT32_MAX && wait->context != end->context)
		return false;
	return wait->stream == UINT32_MAX || end->stream == UINT32_MAX ||
	       wait->stream == end->stream;
}

const struct wait_end *waits_find(const struct waits *waits, const struct wait *wait)
{
	size_t first = 0, end = waits->end_count;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (waits->ends[middle].time <= wait->leave)
			first = middle + 1;
		else
			end = middle;
	}
	for (int tries = 0; first && tries < TRIES; first--, tries++) {
		const struct wait_end *at = &waits->ends[first - 1];

		if (at->time < wait->enter)
			break;
		if (may_be(wait, at))
			return at;
	}
	return NULL;
}

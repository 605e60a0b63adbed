/* SPDX-License-Identifier: MIT */
#include "view/totals/ranges.h"

#include <stdlib.h>

#include "model/frames.h"
#include "view/totals/rangetree.h"

struct range_end {
	uint64_t id;
	uint64_t moment;
};

/* The numbers of a thread's ranges that had started when a call was entered, had ended by then, and
 * had ended when it returned. Calls with equal numbers are in the same ranges. */
struct range_place {
	size_t begun;
	size_t over;
	size_t ended;
};

/* The ranges of a thread. */
struct range_thread {
	uint32_t thread;
	size_t first;
	size_t count;
	bool was_asked;
	struct range_place place; /* place of the last lookup */
};

static struct range *list_of(const struct ranges *ranges, size_t *count)
{
	*count = ranges->list.length / sizeof(struct range);
	return (void *)ranges->list.data;
}

static void note_moment(struct ranges *ranges, uint64_t moment)
{
	if (moment > ranges->last)
		ranges->last = moment;
}

static int append(struct strbuf *to, const void *item, size_t size)
{
	strbuf_append(to, item, size);
	return to->failed ? -1 : 0;
}

static int add_mark(struct ranges *ranges, const struct mark *mark)
{
	const struct range range = {
		.start = mark->enter,
		.end = UINT64_MAX,
		.id = mark->id,
		.domain = mark->domain,
		.name = mark->name,
		.thread = mark->frame.thread,
	};
	const struct range_end end = {mark->id, mark->enter};

	note_moment(ranges, mark->enter);
	if (mark->frame.flags & MARK_START)
		return append(&ranges->list, &range, sizeof(range));
	if (mark->frame.flags & MARK_END)
		return append(&ranges->ends, &end, sizeof(end));
	return 0;
}

int ranges_add(struct ranges *ranges, const struct frame *frame)
{
	const void *at = frame;

	if (frame->kind == FRAME_MARK)
		return add_mark(ranges, at);
	if (frames_is_timed_event(frame))
		note_moment(ranges, ((const struct timed *)at)->leave);
	if (frames_is_record(frame) && !(frame->flags & RECORD_NO_CALL))
		note_moment(ranges, ((const struct record *)at)->leave);
	return 0;
}

bool ranges_any(const struct ranges *ranges)
{
	return ranges->list.length;
}

/* Less than, equal to or greater than 0, for qsort. */
static int order(uint64_t one, uint64_t other)
{
	return (one > other) - (one < other);
}

static int compare_ids(const void *left, const void *right)
{
	const struct range *one = left, *other = right;
	int result = order(one->id, other->id);

	return result ? result : order(one->start, other->start);
}

static int compare_ends(const void *left, const void *right)
{
	const struct range_end *one = left, *other = right;
	int result = order(one->id, other->id);

	return result ? result : order(one->moment, other->moment);
}

/* Sorts by label; a range comes before the ranges inside it. */
static int compare_labels(const void *left, const void *right)
{
	const struct range *one = left, *other = right;
	int result = order(one->thread, other->thread);

	result = result ? result : order(one->domain, other->domain);
	result = result ? result : order(one->name, other->name);
	result = result ? result : order(one->start, other->start);
	return result ? result : order(other->end, one->end);
}

static int compare_starts(const void *left, const void *right)
{
	const struct range *one = left, *other = right;
	int result = order(one->thread, other->thread);

	return result ? result : order(one->start, other->start);
}

static void sort(struct range *list, size_t count,
		 int (*compare)(const void *left, const void *right))
{
	if (count)
		qsort(list, count, sizeof(*list), compare);
}

/* If several ranges have one id, which is an error in the file, the first range gets the first
 * end. */
static void find_ends(struct ranges *ranges)
{
	struct range_end *ends = (void *)ranges->ends.data;
	size_t count, at = 0, end_count = ranges->ends.length / sizeof(*ends);
	struct range *list = list_of(ranges, &count);

	sort(list, count, compare_ids);
	if (end_count)
		qsort(ends, end_count, sizeof(*ends), compare_ends);
	for (size_t i = 0; i < count; i++) {
		while (at < end_count && ends[at].id < list[i].id)
			at++;
		list[i].end = ranges->last;
		if (at < end_count && ends[at].id == list[i].id)
			list[i].end = ends[at++].moment;
		if (list[i].end < list[i].start)
			list[i].end = list[i].start;
	}
	strbuf_free(&ranges->ends);
}

static bool is_alike(const struct range *one, const struct range_label *label)
{
	return one->thread == label->thread && one->domain == label->domain &&
	       one->name == label->name;
}

static int give_labels(struct ranges *ranges)
{
	struct range_label label = {0};
	size_t count;
	struct range *list = list_of(ranges, &count);
	uint32_t number = 0;

	sort(list, count, compare_labels);
	for (size_t i = 0; i < count; i++) {
		if (!i || !is_alike(&list[i], &label)) {
			label = (struct range_label){list[i].thread, list[i].domain, list[i].name};
			if (append(&ranges->labels, &label, sizeof(label)))
				return -1;
			number++;
		}
		list[i].label = number - 1;
	}
	/* reserved now, so a lookup needs no memory */
	return strbuf_reserve(&ranges->found, number * sizeof(number)) ? 0 : -1;
}

/*
 * Removes each range that lies within another one of its label. The remaining ones of a label start
 * and end in the same order: if any of them is around a call, so is the last one that starts before
 * the call.
 */
static void leave_out(struct ranges *ranges)
{
	size_t count, kept = 0;
	struct range *list = list_of(ranges, &count);

	for (size_t i = 0; i < count; i++) {
		struct range *last = kept ? &list[kept - 1] : NULL;

		if (last && last->label == list[i].label) {
			if (list[i].end <= last->end)
				continue;
			if (list[i].start <= last->end)
				last->until = list[i].start - 1;
		}
		list[kept] = list[i];
		list[kept].until = list[kept].end;
		kept++;
	}
	ranges->list.length = kept * sizeof(*list);
}

static int compare_moments(const void *left, const void *right)
{
	return order(*(const uint64_t *)left, *(const uint64_t *)right);
}

static int add_overs(struct ranges *ranges, const struct range *list, size_t count)
{
	size_t first = ranges->overs.length;

	for (size_t i = 0; i < count; i++)
		if (append(&ranges->overs, &list[i].end, sizeof(list[i].end)))
			return -1;
	qsort(ranges->overs.data + first, count, sizeof(uint64_t), compare_moments);
	return 0;
}

static int make_threads(struct ranges *ranges)
{
	size_t count;
	struct range *list = list_of(ranges, &count);

	sort(list, count, compare_starts);
	for (size_t first = 0, next; first < count; first = next) {
		struct range_thread thread = {.thread = list[first].thread, .first = first};

		for (next = first; next < count && list[next].thread == thread.thread;)
			next++;
		thread.count = next - first;
		rangetree_make(list + first, thread.count);
		if (append(&ranges->threads, &thread, sizeof(thread)) ||
		    add_overs(ranges, list + first, thread.count))
			return -1;
	}
	return 0;
}

int ranges_end(struct ranges *ranges,
	       int (*take)(void *context, uint32_t label, uint64_t start, uint64_t end),
	       void *context)
{
	size_t count;
	const struct range *list;

	find_ends(ranges);
	if (give_labels(ranges))
		return -1;
	list = list_of(ranges, &count);
	for (size_t i = 0; i < count; i++)
		if (take(context, list[i].label, list[i].start, list[i].end))
			return -1;
	leave_out(ranges);
	return make_threads(ranges);
}

const struct range_label *ranges_labels(const struct ranges *ranges, size_t *count)
{
	*count = ranges->labels.length / sizeof(struct range_label);
	return (const void *)ranges->labels.data;
}

static struct range_thread *threads_of(const struct ranges *ranges, size_t *count)
{
	*count = ranges->threads.length / sizeof(struct range_thread);
	return (void *)ranges->threads.data;
}

size_t ranges_threads(const struct ranges *ranges)
{
	size_t count;

	threads_of(ranges, &count);
	return count;
}

static struct range_thread *find_thread(const struct ranges *ranges, uint32_t thread)
{
	size_t low = 0, high, end;
	struct range_thread *list = threads_of(ranges, &end);

	high = end;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle].thread < thread)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && list[low].thread == thread ? &list[low] : NULL;
}

int64_t ranges_thread(const struct ranges *ranges, uint32_t thread)
{
	size_t count;
	const struct range_thread *of = find_thread(ranges, thread);

	return of ? of - threads_of(ranges, &count) : -1;
}

static const uint64_t *overs_of(const struct ranges *ranges, const struct range_thread *of)
{
	return (const uint64_t *)(const void *)ranges->overs.data + of->first;
}

/* Returns the number of moments before `moment`. */
static size_t count_before(const uint64_t *moments, size_t count, uint64_t moment)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (moments[middle] < moment)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

static size_t count_begun(const struct range *list, size_t count, uint64_t moment)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (list[middle].start <= moment)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

static bool is_between(const uint64_t *moments, size_t count, size_t before, uint64_t moment)
{
	return (!before || moments[before - 1] < moment) &&
	       (before == count || moments[before] >= moment);
}

bool ranges_are_same(const struct ranges *ranges, size_t number, uint64_t enter, uint64_t leave)
{
	size_t count;
	const struct range_thread *of = &threads_of(ranges, &count)[number];
	const struct range *list = list_of(ranges, &count) + of->first;
	const struct range_place *place = &of->place;

	return of->was_asked && (!place->begun || list[place->begun - 1].start <= enter) &&
	       (place->begun == of->count || list[place->begun].start > enter) &&
	       is_between(overs_of(ranges, of), of->count, place->over, enter) &&
	       is_between(overs_of(ranges, of), of->count, place->ended,
			  leave < enter ? enter : leave);
}

const uint32_t *ranges_around(struct ranges *ranges, uint32_t thread, uint64_t enter,
			      uint64_t leave, size_t *count)
{
	struct range_thread *of = find_thread(ranges, thread);
	size_t all;
	const struct range *list = list_of(ranges, &all);

	leave = leave < enter ? enter : leave;
	ranges->found.length = 0;
	if (of) { /* there is room for all labels, and each label is found once at most */
		rangetree_find(list + of->first, of->count, enter, leave, &ranges->found);
		of->was_asked = true;
		of->place.begun = count_begun(list + of->first, of->count, enter);
		of->place.over = count_before(overs_of(ranges, of), of->count, enter);
		of->place.ended = count_before(overs_of(ranges, of), of->count, leave);
	}
	*count = ranges->found.length / sizeof(uint32_t);
	return (const void *)ranges->found.data;
}

void ranges_free(struct ranges *ranges)
{
	strbuf_free(&ranges->list);
	strbuf_free(&ranges->ends);
	strbuf_free(&ranges->labels);
	strbuf_free(&ranges->threads);
	strbuf_free(&ranges->overs);
	strbuf_free(&ranges->found);
}

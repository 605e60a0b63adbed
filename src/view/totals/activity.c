/* SPDX-License-Identifier: MIT */
#include "view/totals/activity.h"
#include "model/api.h"
#include "model/totals_row.h"
#include "view/format/label.h"

#include <stdlib.h>

_Static_assert(AMOUNT_MEMORIES * AMOUNT_MEMORIES <= 32 && API_COUNT <= 8,
	       "both are in eight bits of a key");

/* Returns a key of the activity within a group, never 0. */
static uint64_t key_of(const struct record *like, enum api api)
{
	unsigned copy = amount_memory(like->source) * AMOUNT_MEMORIES + amount_memory(like->target);

	return 1ull << 63 | (uint64_t)!!(like->frame.flags & LABEL_OTHER) << 60 |
	       (uint64_t)(like->frame.kind & 15) << 56 | (uint64_t)like->name << 24 |
	       (uint64_t)like->device << 8 | copy << 3 | api;
}

static struct record likeness(const struct record *record, bool by_device)
{
	struct record like = {.frame.kind = record->frame.kind};

	if (record->frame.kind == FRAME_KERNEL)
		like.name = record->name;
	if (record->frame.kind == FRAME_COPY) {
		like.source = amount_memory(record->source);
		like.target = amount_memory(record->target);
	}
	if (by_device)
		like.device = record->device;
	return like;
}

/* Returns the key with the group; 0 without memory. */
static uint64_t key_in_group(struct activities *activities, uint64_t key)
{
	uintptr_t number = (uintptr_t)map_get(&activities->likes, key);

	if (!number) {
		number = ++activities->like_count;
		if (map_set(&activities->likes, key, (void *)number))
			return 0;
	}
	return 1ull << 63 | (uint64_t)activities->group << 32 | number;
}

static struct activity *new_activity(const struct activities *activities, const struct record *like,
				     enum api api)
{
	struct activity *activity = calloc(1, sizeof(*activity));

	if (!activity)
		return NULL;
	activity->like = *like;
	activity->api = api;
	activity->group = activities->group;
	if (!activities->percentiles)
		return activity;
	activity->times = calloc(1, sizeof(*activity->times));
	if (activity->times)
		return activity;
	free(activity);
	return NULL;
}

static void free_activity(struct activity *activity)
{
	if (activity->times)
		histogram_free(activity->times);
	free(activity->times);
	free(activity);
}

static struct activity *find(struct activities *activities, const struct record *like, enum api api)
{
	uint64_t key = key_of(like, api);
	struct activity *activity;

	if (activities->by_group)
		key = key_in_group(activities, key);
	activity = map_get(&activities->map, key);
	if (activity || !key)
		return activity;
	activity = new_activity(activities, like, api);
	if (!activity)
		return NULL;
	strbuf_append(&activities->list, &activity, sizeof(activity));
	if (activities->list.failed) {
		free_activity(activity);
		return NULL;
	}
	/* it is in the list, which frees it */
	return map_set(&activities->map, key, activity) ? NULL : activity;
}

static void add_times(struct activity *activity, uint64_t duration)
{
	if (!activity->count || duration < activity->shortest)
		activity->shortest = duration;
	if (duration > activity->longest)
		activity->longest = duration;
	activity->total = amount_add(activity->total, duration);
	activity->count++;
}

struct activity *activities_add(struct activities *activities, const struct catalog *catalog,
				const struct record *record)
{
	const struct device *device = catalog_device(catalog, record->device);
	struct record like = likeness(record, activities->by_device);
	struct activity *activity = find(activities, &like, device ? device->api : API_ASSUMED);
	uint64_t duration = amount_duration(record);

	if (!activity)
		return NULL;
	if (record->known & KNOWN_OCCUPANCY) {
		activity->occupancy += (double)record->occupancy;
		activity->occupancies++;
	}
	if (!(record->known & KNOWN_TIMES)) {
		activity->untimed++;
		return activity;
	}
	add_times(activity, duration);
	if (record->known & KNOWN_BYTES) {
		activity->bytes = amount_add(activity->bytes, record->bytes);
		activity->sized++;
	}
	if (activities->percentiles && histogram_add(activity->times, duration))
		return NULL;
	return activity;
}

struct activity *activities_add_call(struct activities *activities, const struct call *call)
{
	struct record like = {.frame.kind = FRAME_CALL, .name = call->name};
	struct activity *activity = find(activities, &like, (enum api)call->api);
	uint64_t duration = amount_call_duration(call);

	if (!activity)
		return NULL;
	activity->failed += call->result != 0;
	add_times(activity, duration);
	if (activities->percentiles && histogram_add(activity->times, duration))
		return NULL;
	return activity;
}

static struct record likeness_of_row(const struct totals_row *row, bool by_device)
{
	struct record record = {
		.frame.kind = row->record_kind,
		.name = row->name,
		.device = row->device,
		.source = row->source,
		.target = row->target,
	};
	struct record like = likeness(&record, by_device);

	if (totals_row_kind(row) == TOTALS_FUNCTION)
		like = (struct record){.frame.kind = FRAME_CALL, .name = row->name};
	if (!(row->frame.flags & TOTALS_OTHER))
		return like;
	return (struct record){.frame = {.kind = like.frame.kind == FRAME_CALL ? FRAME_CALL
									       : FRAME_KERNEL,
					 .flags = LABEL_OTHER}};
}

static enum api api_of_row(const struct catalog *catalog, const struct totals_row *row)
{
	const struct device *device = catalog_device(catalog, row->device);

	if (totals_row_kind(row) == TOTALS_FUNCTION || row->frame.flags & TOTALS_OTHER)
		return (enum api)row->api;
	return device ? device->api : API_ASSUMED;
}

static void add_row_times(struct activity *activity, const struct totals_row *row)
{
	if (!row->count)
		return;
	if (!activity->count || row->shortest < activity->shortest)
		activity->shortest = row->shortest;
	if (row->longest > activity->longest)
		activity->longest = row->longest;
	activity->total = amount_add(activity->total, row->total);
	activity->count = amount_add(activity->count, row->count);
}

int activities_add_row(struct activities *activities, const struct catalog *catalog,
		       const struct totals_row *row)
{
	const struct record like = likeness_of_row(row, activities->by_device);
	struct activity *activity;

	if (totals_row_is_empty(row))
		return 0;
	activity = find(activities, &like, api_of_row(catalog, row));
	if (!activity)
		return -1;
	add_row_times(activity, row);
	for (int i = 0; i < TOTALS_MISSING; i++)
		activity->untimed = amount_add(activity->untimed, row->missing[i]);
	activity->failed = amount_add(activity->failed, row->failed);
	activity->bytes = amount_add(activity->bytes, row->bytes);
	activity->sized = amount_add(activity->sized, row->sized);
	activity->occupancy += row->occupancy;
	activity->occupancies = amount_add(activity->occupancies, row->occupancies);
	return activity->times ? histogram_add_row(activity->times, row) : 0;
}

static int add_sum(struct activities *activities, const struct activity *sum)
{
	struct activity *activity = find(activities, &sum->like, sum->api);

	if (!activity)
		return -1;
	if (sum->count && (!activity->count || sum->shortest < activity->shortest))
		activity->shortest = sum->shortest;
	if (sum->longest > activity->longest)
		activity->longest = sum->longest;
	activity->count += sum->count;
	activity->untimed += sum->untimed;
	activity->failed += sum->failed;
	activity->total = amount_add(activity->total, sum->total);
	activity->bytes = amount_add(activity->bytes, sum->bytes);
	activity->sized += sum->sized;
	activity->occupancy += sum->occupancy;
	activity->occupancies += sum->occupancies;
	return activity->times && sum->times ? histogram_add_all(activity->times, sum->times) : 0;
}

/* Nothing was added to it. */
static bool is_empty(const struct activity *activity)
{
	return !activity->count && !activity->untimed;
}

int activities_add_sums(struct activities *activities, const struct activities *sums,
			const uint32_t *groups, size_t group_count)
{
	struct activity *const *list = (const void *)sums->list.data;
	size_t count = sums->list.length / sizeof(*list);

	for (size_t i = 0; i < count; i++) {
		if (is_empty(list[i]))
			continue;
		for (size_t group = 0; group < group_count; group++) {
			activities->group = groups[group];
			if (add_sum(activities, list[i]))
				return -1;
		}
	}
	return 0;
}

static void clear_activity(struct activity *activity)
{
	struct activity empty = {.like = activity->like,
				 .api = activity->api,
				 .group = activity->group,
				 .times = activity->times};

	if (activity->times)
		histogram_free(activity->times);
	*activity = empty;
}

/* Clearing few entries is faster than making a new map; for many it is slower. */
void activities_clear(struct activities *activities)
{
	enum { FEW = 64 };
	struct activity **list = (void *)activities->list.data;
	size_t count = activities->list.length / sizeof(*list);
	const struct activities empty = {.by_device = activities->by_device,
					 .by_group = activities->by_group,
					 .percentiles = activities->percentiles};

	for (size_t i = 0; i < count && count <= FEW; i++)
		if (!is_empty(list[i]))
			clear_activity(list[i]);
	if (count <= FEW)
		return;
	activities_free(activities);
	*activities = empty;
}

static int compare(const void *left, const void *right)
{
	const struct activity *one = *(struct activity *const *)left;
	const struct activity *other = *(struct activity *const *)right;
	uint64_t keys[] = {key_of(&one->like, one->api), key_of(&other->like, other->api)};

	if (one->group != other->group)
		return one->group < other->group ? -1 : 1;
	if (one->total != other->total)
		return one->total < other->total ? 1 : -1;
	if (one->count != other->count)
		return one->count < other->count ? 1 : -1;
	return keys[0] < keys[1] ? -1 : keys[0] > keys[1];
}

struct activity *const *activities_sorted(struct activities *activities, size_t *count)
{
	struct activity **list = (void *)activities->list.data;

	*count = activities->list.length / sizeof(struct activity *);
	if (*count)
		qsort(list, *count, sizeof(struct activity *), compare);
	return list;
}

void activities_free(struct activities *activities)
{
	struct activity **list = (void *)activities->list.data;

	for (size_t i = 0; i < activities->list.length / sizeof(*list); i++)
		free_activity(list[i]);
	strbuf_free(&activities->list);
	map_free(&activities->map);
	map_free(&activities->likes);
}

uint64_t activity_average(const struct activity *activity)
{
	return activity->count ? activity->total / activity->count : 0;
}

bool activity_has_percentiles(const struct activity *activity)
{
	return activity->times && activity->times->count;
}

uint64_t activity_percentile(const struct activity *activity, unsigned percent)
{
	uint64_t value = activity->times ? histogram_percentile(activity->times, percent) : 0;

	if (value < activity->shortest)
		return activity->shortest;
	return value > activity->longest ? activity->longest : value;
}

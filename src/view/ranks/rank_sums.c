/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/amount.h"
#include "view/ranks/rank_identity.h"

static int no_memory(struct strbuf *error)
{
	strbuf_string(error, "out of memory for the sums of all processes");
	return -1;
}

int rank_sums_open(struct rank_sums *sums, const char *kernels, bool demangled,
		   struct strbuf *error)
{
	*sums = (struct rank_sums){
		.filter.demangled = demangled,
		.kernels = kernels,
		.texts = names_new(),
	};
	if (activity_index_open(&sums->activities) || !sums->texts)
		return no_memory(error);
	return name_filter_open(&sums->filter, kernels, error);
}

void rank_sums_close(struct rank_sums *sums)
{
	for (uint32_t i = 0; i < sums->times_room; i++)
		histogram_free(&sums->times[i]);
	free(sums->times);
	name_filter_close(&sums->filter);
	activity_index_close(&sums->activities);
	names_free(sums->texts);
	map_free(&sums->known);
	map_free(&sums->starts);
	strbuf_free(&sums->processes);
	strbuf_free(&sums->parts);
	strbuf_free(&sums->entries);
	strbuf_free(&sums->missing);
	strbuf_free(&sums->launches);
}

const struct rank_entry *rank_sums_entries(const struct rank_sums *sums, size_t *count)
{
	*count = sums->entries.length / sizeof(struct rank_entry);
	return (const void *)sums->entries.data;
}

const struct rank_missing *rank_sums_missing(const struct rank_sums *sums, size_t *count)
{
	*count = sums->missing.length / sizeof(struct rank_missing);
	return (const void *)sums->missing.data;
}

const struct rank_launch *rank_sums_launches(const struct rank_sums *sums, size_t *count)
{
	*count = sums->launches.length / sizeof(struct rank_launch);
	return (const void *)sums->launches.data;
}

void rank_sum_add(struct rank_sum *to, const struct rank_sum *from)
{
	if (from->count && (!to->count || from->shortest < to->shortest))
		to->shortest = from->shortest;
	if (from->longest > to->longest)
		to->longest = from->longest;
	to->count = amount_add(to->count, from->count);
	to->untimed = amount_add(to->untimed, from->untimed);
	to->total = amount_add(to->total, from->total);
	to->bytes = amount_add(to->bytes, from->bytes);
	to->sized = amount_add(to->sized, from->sized);
}

struct histogram *rank_sums_make_times(struct rank_sums *sums, uint32_t activity)
{
	uint32_t room = activity * 2 + 16;
	struct histogram *times = sums->times;

	if (activity < sums->times_room)
		return &times[activity];
	times = memory_array(times, room, sizeof(*times));
	if (!times)
		return NULL;
	memset(times + sums->times_room, 0, (room - sums->times_room) * sizeof(*times));
	sums->times = times;
	sums->times_room = room;
	return &times[activity];
}

const struct histogram *rank_sums_times(const struct rank_sums *sums, uint32_t activity,
					const struct rank_sum *sum)
{
	if (activity >= sums->times_room || !sum->count ||
	    sums->times[activity].count != sum->count)
		return NULL;
	return &sums->times[activity];
}

/* Returns a key of the process, never 0. */
static uint64_t key_of(uint32_t path, uint32_t part)
{
	return (uint64_t)path << 32 | part;
}

int rank_sums_begin(struct rank_sums *sums, const char *path, const struct rank_process *process)
{
	struct rank_process own = *process;
	uintptr_t number = sums->processes.length / sizeof(own) + 1;
	uint64_t key;

	own.path = names_intern(sums->texts, path, strlen(path));
	key = key_of(own.path, own.part);
	if (!own.path || map_get(&sums->known, key))
		return -1;
	strbuf_append(&sums->processes, &own, sizeof(own));
	if (sums->processes.failed || map_set(&sums->known, key, (void *)number) ||
	    (own.started &&
	     map_set(&sums->starts, rank_identity_key(own.pid, own.started), (void *)number)))
		return -1;
	return (int)number - 1;
}

int rank_sums_put_part(struct rank_sums *sums, const struct rank_part *part)
{
	struct rank_process *process = (void *)sums->processes.data;

	process[part->process].merged = true;
	strbuf_append(&sums->parts, part, sizeof(*part));
	if (sums->parts.failed)
		return -1;
	return map_set(&sums->starts, rank_identity_key(part->pid, part->started),
		       (void *)((uintptr_t)part->process + 1));
}

int rank_sums_put(struct rank_sums *sums, const struct rank_entry *entry)
{
	strbuf_append(&sums->entries, entry, sizeof(*entry));
	return sums->entries.failed ? -1 : 0;
}

int rank_sums_put_launch(struct rank_sums *sums, const struct rank_launch *launch)
{
	strbuf_append(&sums->launches, launch, sizeof(*launch));
	return sums->launches.failed ? -1 : 0;
}

int rank_sums_add_missing(struct rank_sums *sums, const char *path, const char *reason)
{
	struct rank_missing one = {
		.path = names_intern(sums->texts, path, strlen(path)),
		.reason = names_intern(sums->texts, reason, strlen(reason)),
	};
	size_t count;
	const struct rank_missing *list = rank_sums_missing(sums, &count);

	for (size_t i = 0; i < count; i++)
		if (list[i].path == one.path)
			return 0;
	strbuf_append(&sums->missing, &one, sizeof(one));
	return !one.path || !one.reason || sums->missing.failed ? -1 : 0;
}

/* Returns 1 with one sentence if a process is in both. */
static int find_twice(const struct rank_sums *sums, const struct rank_sums *from,
		      struct strbuf *error)
{
	size_t count;
	const struct rank_process *list = rank_sums_processes(from, &count);

	for (size_t i = 0; i < count; i++) {
		const char *path = rank_sums_text(from, list[i].path);
		uint32_t own = names_intern(sums->texts, path, strlen(path));

		if (!own)
			return no_memory(error);
		if (!map_get(&sums->known, key_of(own, list[i].part)))
			continue;
		strbuf_printf(error, "the sums of %s are in another input already", path);
		return 1;
	}
	return rank_identity_find_twice(sums, from, error);
}

/* Sets `numbers` to the activities in `sums` for those of `from`, and adds the histograms. */
static int add_activities(struct rank_sums *sums, const struct rank_sums *from, uint32_t *numbers)
{
	uint32_t count;
	const struct activity_key *list = activity_index_list(&from->activities, &count);

	for (uint32_t i = 0; i < count; i++) {
		size_t length;
		const char *name = names_text(from->activities.names, list[i].like.name, &length);
		struct histogram *times;

		numbers[i] = activity_index_number(&sums->activities, &list[i], name, length) - 1;
		times = numbers[i] == UINT32_MAX ? NULL : rank_sums_make_times(sums, numbers[i]);
		if (!times || (i < from->times_room && histogram_add_all(times, &from->times[i])))
			return -1;
	}
	return 0;
}

static int add_processes(struct rank_sums *sums, const struct rank_sums *from)
{
	size_t processes, parts, missing, first;
	const struct rank_process *process = rank_sums_processes(from, &processes);
	const struct rank_part *part = rank_sums_parts(from, &parts);
	const struct rank_missing *lost = rank_sums_missing(from, &missing);
	int result = 0;

	rank_sums_processes(sums, &first);
	for (size_t i = 0; !result && i < processes; i++)
		result = rank_sums_begin(sums, rank_sums_text(from, process[i].path), &process[i]) <
			 0;
	for (size_t i = 0; !result && i < parts; i++) {
		struct rank_part own = part[i];

		own.process += (uint32_t)first;
		result = rank_sums_put_part(sums, &own);
	}
	for (size_t i = 0; !result && i < missing; i++)
		result = rank_sums_add_missing(sums, rank_sums_text(from, lost[i].path),
					       rank_sums_text(from, lost[i].reason));
	return result;
}

/* Adds entries and launches with these numbers of activities and processes. */
static int add_entries(struct rank_sums *sums, const struct rank_sums *from,
		       const uint32_t *numbers, const uint32_t *processes)
{
	size_t entries, launches;
	const struct rank_entry *entry = rank_sums_entries(from, &entries);
	const struct rank_launch *launch = rank_sums_launches(from, &launches);
	int result = 0;

	for (size_t i = 0; !result && i < entries; i++) {
		struct rank_entry own = entry[i];

		own.process = processes ? processes[own.process] : own.process;
		own.activity = numbers[own.activity];
		result = rank_sums_put(sums, &own);
	}
	for (size_t i = 0; !result && i < launches; i++) {
		struct rank_launch own = launch[i];

		own.process = processes ? processes[own.process] : own.process;
		own.activity = numbers[own.activity];
		result = rank_sums_put_launch(sums, &own);
	}
	return result;
}

int rank_sums_add_values(struct rank_sums *sums, const struct rank_sums *from,
			 const uint32_t *processes)
{
	uint32_t count, *numbers;
	int result = -1;

	activity_index_list(&from->activities, &count);
	numbers = calloc((size_t)count + 1, sizeof(*numbers));
	if (numbers && !add_activities(sums, from, numbers))
		result = add_entries(sums, from, numbers, processes);
	free(numbers);
	return result;
}

int rank_sums_add(struct rank_sums *sums, const struct rank_sums *from, struct strbuf *error)
{
	size_t first, count;
	uint32_t *processes;
	int result = find_twice(sums, from, error);

	if (result)
		return result;
	rank_sums_processes(sums, &first);
	rank_sums_processes(from, &count);
	processes = calloc(count + 1, sizeof(*processes));
	for (size_t i = 0; processes && i < count; i++)
		processes[i] = (uint32_t)(first + i);
	if (!processes || add_processes(sums, from) || rank_sums_add_values(sums, from, processes))
		result = no_memory(error);
	free(processes);
	return result;
}

/* A process with its path and its old index. */
struct place {
	const char *path;
	uint32_t part;
	uint32_t index;
};

static int by_path(const void *left, const void *right)
{
	const struct place *one = left, *other = right;
	int order = strverscmp(one->path, other->path);

	if (order)
		return order;
	return one->part < other->part ? -1 : one->part > other->part;
}

uint32_t *rank_sums_sort_processes(struct rank_sums *sums)
{
	size_t count;
	const struct rank_process *list = rank_sums_processes(sums, &count);
	struct rank_part *part = (void *)sums->parts.data;
	size_t parts = sums->parts.length / sizeof(*part);
	struct strbuf sorted = STRBUF_INIT;
	struct place *places = calloc(count + 1, sizeof(*places));
	uint32_t *numbers = calloc(count + 1, sizeof(*numbers));
	bool failed = !places || !numbers;

	for (size_t i = 0; !failed && i < count; i++)
		places[i] = (struct place){.path = rank_sums_text(sums, list[i].path),
					   .part = list[i].part,
					   .index = (uint32_t)i};
	if (!failed)
		qsort(places, count, sizeof(*places), by_path);
	for (size_t i = 0; !failed && i < count; i++) {
		numbers[places[i].index] = (uint32_t)i;
		strbuf_append(&sorted, &list[places[i].index], sizeof(*list));
	}
	failed |= sorted.failed;
	free(places);
	if (failed) {
		free(numbers);
		strbuf_free(&sorted);
		return NULL;
	}
	strbuf_free(&sums->processes);
	sums->processes = sorted;
	for (size_t i = 0; i < parts; i++)
		part[i].process = numbers[part[i].process];
	return numbers;
}

static int by_activity(const void *left, const void *right)
{
	const struct rank_entry *one = left, *other = right;

	if (one->activity != other->activity)
		return one->activity < other->activity ? -1 : 1;
	return one->process < other->process ? -1 : one->process > other->process;
}

static void sort_entries(struct rank_sums *sums, const uint32_t *numbers)
{
	struct rank_entry *list = (void *)sums->entries.data;
	size_t count = sums->entries.length / sizeof(*list), kept = 0;

	for (size_t i = 0; i < count; i++)
		list[i].process = numbers[list[i].process];
	if (count)
		qsort(list, count, sizeof(*list), by_activity);
	for (size_t i = 0; i < count; i++) {
		if (kept && !by_activity(&list[kept - 1], &list[i]))
			rank_sum_add(&list[kept - 1].sum, &list[i].sum);
		else
			list[kept++] = list[i];
	}
	sums->entries.length = kept * sizeof(*list);
}

static int by_file(const void *left, const void *right, void *at)
{
	const struct rank_missing *one = left, *other = right;

	return strverscmp(rank_sums_text(at, one->path), rank_sums_text(at, other->path));
}

void rank_sums_trim_launches(struct rank_sums *sums)
{
	struct rank_launch *list = (void *)sums->launches.data;
	size_t count = sums->launches.length / sizeof(*list);

	if (count)
		qsort(list, count, sizeof(*list), rank_launches_order);
	if (count > RANK_LAUNCHES)
		sums->launches.length = RANK_LAUNCHES * sizeof(*list);
}

static void sort_launches(struct rank_sums *sums, const uint32_t *numbers)
{
	struct rank_launch *list = (void *)sums->launches.data;
	size_t count = sums->launches.length / sizeof(*list);

	for (size_t i = 0; i < count; i++)
		list[i].process = numbers[list[i].process];
	rank_sums_trim_launches(sums);
}

/* Another input may have the sums of a file that could not be read. */
static void sort_missing(struct rank_sums *sums)
{
	struct rank_missing *list = (void *)sums->missing.data;
	size_t count = sums->missing.length / sizeof(*list), kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!map_get(&sums->known, key_of(list[i].path, 0)))
			list[kept++] = list[i];
	if (kept)
		qsort_r(list, kept, sizeof(*list), by_file, sums);
	sums->missing.length = kept * sizeof(*list);
}

int rank_sums_sort(struct rank_sums *sums)
{
	uint32_t *numbers = rank_sums_sort_processes(sums);

	if (!numbers)
		return -1;
	sort_entries(sums, numbers);
	sort_launches(sums, numbers);
	free(numbers);
	sort_missing(sums);
	return 0;
}

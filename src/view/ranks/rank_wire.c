/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_wire.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 7, MORE = 1 << BITS, PARTS = HISTOGRAM_ROWS * HISTOGRAM_PARTS };

/* The members of an activity that its number depends on. */
enum { KIND, FLAGS, SOURCE, TARGET, API, KEYS };

void rank_wire_put(struct strbuf *to, uint64_t number)
{
	for (; number >= MORE; number >>= BITS)
		strbuf_char(to, (char)(number | MORE));
	strbuf_char(to, (char)number);
}

void rank_wire_put_text(struct strbuf *to, const char *text, size_t length)
{
	rank_wire_put(to, length);
	strbuf_append(to, text, length);
}

struct rank_wire rank_wire_of(const struct strbuf *bytes)
{
	return (struct rank_wire){.at = bytes->data, .end = bytes->data + bytes->length};
}

uint64_t rank_wire_get(struct rank_wire *from)
{
	uint64_t number = 0;

	for (unsigned shift = 0; from->at < from->end && shift < 64; shift += BITS) {
		unsigned char byte = (unsigned char)*from->at++;

		number |= (uint64_t)(byte & (MORE - 1)) << shift;
		if (!(byte & MORE))
			return number;
	}
	from->failed = true;
	from->at = from->end;
	return 0;
}

const char *rank_wire_get_text(struct rank_wire *from, size_t *length)
{
	uint64_t size = rank_wire_get(from);
	const char *text = from->at;

	if (size > (size_t)(from->end - from->at)) {
		from->failed = true;
		size = 0;
	}
	from->at += size;
	*length = size;
	return text;
}

/* Returns a copy of a text, to be freed; NULL without memory. */
static char *copy_text(struct rank_wire *from)
{
	size_t length;
	const char *text = rank_wire_get_text(from, &length);
	char *copy = malloc(length + 1);

	if (!copy)
		return NULL;
	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

/* Returns a number of elements, each of which takes a byte at least. */
static uint64_t get_count(struct rank_wire *from)
{
	uint64_t count = rank_wire_get(from);

	if (count <= (size_t)(from->end - from->at))
		return count;
	from->failed = true;
	return 0;
}

static void put_path(struct strbuf *to, const struct rank_sums *sums, uint32_t text)
{
	const char *path = rank_sums_text(sums, text);

	rank_wire_put_text(to, path, strlen(path));
}

void rank_wire_put_processes(struct strbuf *to, const struct rank_sums *sums)
{
	size_t processes, parts, missing;
	const struct rank_process *process = rank_sums_processes(sums, &processes);
	const struct rank_part *part = rank_sums_parts(sums, &parts);
	const struct rank_missing *lost = rank_sums_missing(sums, &missing);

	rank_wire_put(to, processes);
	for (size_t i = 0; i < processes; i++) {
		put_path(to, sums, process[i].path);
		rank_wire_put(to, process[i].part);
		rank_wire_put(to, process[i].pid);
		rank_wire_put(to, process[i].cut_off);
		rank_wire_put(to, process[i].launches);
		rank_wire_put(to, process[i].summed);
		rank_wire_put(to, process[i].lost);
		rank_wire_put(to, process[i].started);
		rank_wire_put(to, process[i].records);
	}
	rank_wire_put(to, parts);
	for (size_t i = 0; i < parts; i++) {
		rank_wire_put(to, part[i].process);
		rank_wire_put(to, part[i].pid);
		rank_wire_put(to, part[i].started);
	}
	rank_wire_put(to, missing);
	for (size_t i = 0; i < missing; i++) {
		put_path(to, sums, lost[i].path);
		put_path(to, sums, lost[i].reason);
	}
}

static int get_process(struct rank_sums *sums, struct rank_wire *from)
{
	struct rank_process process = {0};
	char *path = copy_text(from);
	int result = -1;

	process.part = (uint32_t)rank_wire_get(from);
	process.pid = (uint32_t)rank_wire_get(from);
	process.cut_off = rank_wire_get(from);
	process.launches = rank_wire_get(from);
	process.summed = rank_wire_get(from);
	process.lost = rank_wire_get(from);
	process.started = rank_wire_get(from);
	process.records = rank_wire_get(from);
	if (path && !from->failed)
		result = rank_sums_begin(sums, path, &process) < 0 ? -1 : 0;
	free(path);
	return result;
}

/* A process in a merged trace. */
static int get_part(struct rank_sums *sums, struct rank_wire *from)
{
	struct rank_part part = {.process = (uint32_t)rank_wire_get(from)};
	size_t count;

	part.pid = (uint32_t)rank_wire_get(from);
	part.started = rank_wire_get(from);
	rank_sums_processes(sums, &count);
	return from->failed || part.process >= count ? -1 : rank_sums_put_part(sums, &part);
}

static int get_missing(struct rank_sums *sums, struct rank_wire *from)
{
	char *path = copy_text(from), *reason = copy_text(from);
	int result = -1;

	if (path && reason && !from->failed)
		result = rank_sums_add_missing(sums, path, reason);
	free(path);
	free(reason);
	return result;
}

int rank_wire_get_processes(struct rank_sums *sums, struct rank_wire *from)
{
	int result = 0;

	for (uint64_t left = get_count(from); left && !result; left--)
		result = get_process(sums, from);
	for (uint64_t left = result ? 0 : get_count(from); left && !result; left--)
		result = get_part(sums, from);
	if (result)
		return -1;
	for (uint64_t left = get_count(from); left && !result; left--)
		result = get_missing(sums, from);
	return result || from->failed ? -1 : 0;
}

static void put_times(struct strbuf *to, const struct histogram *times)
{
	uint64_t last = 0, counts = 0;

	for (uint64_t part = 0; part < PARTS; part++)
		counts += histogram_part(times, part) > 0;
	rank_wire_put(to, times->coarse);
	rank_wire_put(to, counts);
	for (uint64_t part = 0; part < PARTS; part++) {
		if (!histogram_part(times, part))
			continue;
		rank_wire_put(to, part - last);
		rank_wire_put(to, histogram_part(times, part));
		last = part;
	}
}

static int get_times(struct histogram *times, struct rank_wire *from)
{
	uint64_t part = 0;

	if (!times)
		return -1;
	times->coarse |= rank_wire_get(from) != 0;
	for (uint64_t left = get_count(from); left; left--) {
		part += rank_wire_get(from);
		if (histogram_add_part(times, part, rank_wire_get(from)))
			return -1;
	}
	return 0;
}

static void put_activities(struct strbuf *to, const struct rank_sums *sums)
{
	static const struct histogram none;
	uint32_t count;
	const struct activity_key *list = activity_index_list(&sums->activities, &count);

	rank_wire_put(to, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct record *like = &list[i].like;
		size_t length;
		const char *name = names_text(sums->activities.names, like->name, &length);

		rank_wire_put(to, like->frame.kind);
		rank_wire_put(to, like->frame.flags);
		rank_wire_put(to, like->source);
		rank_wire_put(to, like->target);
		rank_wire_put(to, list[i].api);
		rank_wire_put_text(to, name, length);
		put_times(to, i < sums->times_room ? &sums->times[i] : &none);
	}
}

static int get_activity(struct rank_sums *sums, uint32_t number, struct rank_wire *from)
{
	struct activity_key what = {0};
	uint64_t keys[KEYS];
	size_t length;
	const char *name;

	for (int i = 0; i < KEYS; i++)
		keys[i] = rank_wire_get(from);
	name = rank_wire_get_text(from, &length);
	if (from->failed || keys[API] >= API_COUNT)
		return -1;
	what.like.frame.kind = (uint16_t)keys[KIND];
	what.like.frame.flags = (uint16_t)keys[FLAGS];
	what.like.source = (uint8_t)keys[SOURCE];
	what.like.target = (uint8_t)keys[TARGET];
	what.api = (enum api)keys[API];
	if (activity_index_number(&sums->activities, &what, name, length) != number + 1)
		return -1;
	return get_times(rank_sums_make_times(sums, number), from);
}

static void put_entries(struct strbuf *to, const struct rank_sums *sums)
{
	size_t count;
	const struct rank_entry *list = rank_sums_entries(sums, &count);

	rank_wire_put(to, count);
	for (size_t i = 0; i < count; i++) {
		const struct rank_sum *sum = &list[i].sum;

		rank_wire_put(to, list[i].activity);
		rank_wire_put(to, list[i].process);
		rank_wire_put(to, sum->count);
		rank_wire_put(to, sum->untimed);
		rank_wire_put(to, sum->total);
		rank_wire_put(to, sum->shortest);
		rank_wire_put(to, sum->longest);
		rank_wire_put(to, sum->bytes);
		rank_wire_put(to, sum->sized);
	}
}

static int get_entry(struct rank_sums *sums, struct rank_wire *from, uint32_t activities,
		     uint64_t processes)
{
	uint64_t activity = rank_wire_get(from), process = rank_wire_get(from);
	struct rank_entry entry = {.activity = (uint32_t)activity, .process = (uint32_t)process};

	entry.sum.count = rank_wire_get(from);
	entry.sum.untimed = rank_wire_get(from);
	entry.sum.total = rank_wire_get(from);
	entry.sum.shortest = rank_wire_get(from);
	entry.sum.longest = rank_wire_get(from);
	entry.sum.bytes = rank_wire_get(from);
	entry.sum.sized = rank_wire_get(from);
	if (from->failed || activity >= activities || process >= processes)
		return -1;
	return rank_sums_put(sums, &entry);
}

static void put_launches(struct strbuf *to, const struct rank_sums *sums)
{
	size_t count;
	const struct rank_launch *list = rank_sums_launches(sums, &count);

	rank_wire_put(to, count);
	for (size_t i = 0; i < count; i++) {
		rank_wire_put(to, list[i].activity);
		rank_wire_put(to, list[i].process);
		rank_wire_put(to, list[i].time);
		rank_wire_put(to, list[i].start);
		rank_wire_put(to, list[i].record);
		rank_wire_put(to, list[i].device);
	}
}

static int get_launch(struct rank_sums *sums, struct rank_wire *from, uint32_t activities,
		      uint64_t processes)
{
	uint64_t activity = rank_wire_get(from), process = rank_wire_get(from);
	struct rank_launch launch = {.activity = (uint32_t)activity, .process = (uint32_t)process};

	launch.time = rank_wire_get(from);
	launch.start = rank_wire_get(from);
	launch.record = rank_wire_get(from);
	launch.device = (uint32_t)rank_wire_get(from);
	if (from->failed || activity >= activities || process >= processes)
		return -1;
	return rank_sums_put_launch(sums, &launch);
}

void rank_wire_put_values(struct strbuf *to, const struct rank_sums *sums)
{
	put_activities(to, sums);
	put_entries(to, sums);
	put_launches(to, sums);
}

int rank_wire_get_values(struct rank_sums *sums, struct rank_wire *from, uint64_t processes)
{
	uint32_t activities = (uint32_t)get_count(from);
	int result = 0;

	for (uint32_t i = 0; i < activities && !result; i++)
		result = get_activity(sums, i, from);
	if (result)
		return -1;
	for (uint64_t left = get_count(from); left && !result; left--)
		result = get_entry(sums, from, activities, processes);
	if (result)
		return -1;
	for (uint64_t left = get_count(from); left && !result; left--)
		result = get_launch(sums, from, activities, processes);
	return result || from->failed ? -1 : 0;
}

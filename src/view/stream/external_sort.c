/* SPDX-License-Identifier: MIT */
#include "view/stream/external_sort.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "view/stream/spill_file.h"

enum {
	INSERTION = 12,		/* entries up to this number are sorted by insertion */
	BUFFER_LEAST = 1 << 13, /* of each run during a merge */
	BUFFER_WRITTEN = 1 << 16,
};

/* An item in memory and in the file; its bytes follow. */
struct item_head {
	uint64_t key;
	uint64_t second;
	uint64_t third;
	uint64_t size;
};

_Static_assert(sizeof(struct item_head) + SORT_ITEM_MOST <= BUFFER_LEAST,
	       "an item fits into the buffer of a run");

struct entry {
	uint64_t key;
	uint64_t at; /* of its item, in memory */
};

/* A sorted part of the file, and its read buffer. */
struct run {
	uint64_t at, end; /* in the file: the part not yet in the buffer */
	char *buffer;
	size_t filled, used;
};

struct external_sort {
	char *memory;  /* items from its start upwards, entries from its end downwards */
	size_t budget;
	size_t used;   /* bytes of items */
	size_t count;  /* entries */
	size_t reached; /* entries already read, if nothing was spilled */
	bool is_read;  /* the first item was read */
	int file;      /* of the runs; -1: none */
	int target;    /* the same, or that of the merged run */
	uint64_t written; /* bytes of the target */
	uint64_t all_runs;
	struct run *runs; /* in the order of writing */
	size_t run_count, run_limit;
	struct run **heap; /* the run with the first item is at the top */
	size_t heap_count;
	char *out; /* BUFFER_WRITTEN bytes, while a run is written */
	size_t out_used;
};

struct external_sort *external_sort_new(size_t budget)
{
	struct external_sort *sort = calloc(1, sizeof(*sort));

	if (!sort)
		return NULL;
	sort->file = -1;
	sort->budget = spill_file_budget(budget);
	sort->run_limit = sort->budget / BUFFER_LEAST;
	sort->memory = memory_map(sort->budget);
	if (sort->memory)
		return sort;
	free(sort);
	return NULL;
}

static void free_runs(struct external_sort *sort)
{
	free(sort->runs);
	free(sort->heap);
	free(sort->out);
	sort->runs = NULL;
	sort->heap = NULL;
	sort->out = NULL;
}

void external_sort_free(struct external_sort *sort)
{
	if (!sort)
		return;
	if (sort->file >= 0)
		close(sort->file);
	free_runs(sort);
	memory_unmap(sort->memory, sort->budget);
	free(sort);
}

static const struct item_head *item_at(const struct external_sort *sort, uint64_t at)
{
	return (const void *)(sort->memory + at);
}

static int compare_heads(const struct item_head *one, const struct item_head *other)
{
	if (one->key != other->key)
		return one->key < other->key ? -1 : 1;
	if (one->second != other->second)
		return one->second < other->second ? -1 : 1;
	return (one->third > other->third) - (one->third < other->third);
}

static bool is_before(const struct external_sort *sort, const struct entry *one,
		      const struct entry *other)
{
	int result;

	if (one->key != other->key)
		return one->key < other->key;
	result = compare_heads(item_at(sort, one->at), item_at(sort, other->at));
	return result ? result < 0 : one->at < other->at;
}

static void insertion_sort(const struct external_sort *sort, struct entry *list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct entry entry = list[i];
		size_t at = i;

		for (; at && is_before(sort, &entry, &list[at - 1]); at--)
			list[at] = list[at - 1];
		list[at] = entry;
	}
}

/* `room` has space for half of them. Entries in order already cost one comparison each. */
static void merge_sort(const struct external_sort *sort, struct entry *list, size_t count,
		       struct entry *room)
{
	size_t half = count / 2, left = 0, right = half, to = 0;

	if (count <= INSERTION) {
		insertion_sort(sort, list, count);
		return;
	}
	merge_sort(sort, list, half, room);
	merge_sort(sort, list + half, count - half, room);
	if (!is_before(sort, &list[half], &list[half - 1]))
		return;
	memcpy(room, list, half * sizeof(*list));
	while (left < half) {
		if (right < count && is_before(sort, &list[right], &room[left]))
			list[to++] = list[right++];
		else
			list[to++] = room[left++];
	}
}

static struct entry *entries_of(const struct external_sort *sort)
{
	return (struct entry *)(void *)(sort->memory + sort->budget) - sort->count;
}

/* The entries are in reverse order of adding. */
static void sort_entries(struct external_sort *sort)
{
	struct entry *list = entries_of(sort);

	for (size_t i = 0, end = sort->count; i + 1 < end; i++) {
		struct entry entry = list[i];

		list[i] = list[--end];
		list[end] = entry;
	}
	merge_sort(sort, list, sort->count, list - (sort->count + 1) / 2);
}

static int flush_run(struct external_sort *sort, struct strbuf *error)
{
	if (spill_file_write(sort->target, sort->out, sort->out_used, error))
		return -1;
	sort->written += sort->out_used;
	sort->out_used = 0;
	return 0;
}

static int write_item(struct external_sort *sort, const struct item_head *item,
		      struct strbuf *error)
{
	size_t size = sizeof(*item) + item->size;

	if (sort->out_used + size > BUFFER_WRITTEN && flush_run(sort, error))
		return -1;
	memcpy(sort->out + sort->out_used, item, size);
	sort->out_used += size;
	return 0;
}

/* Allocates the memory for writing a run, and creates the file. */
static int begin_run(struct external_sort *sort, struct strbuf *error)
{
	if (!sort->runs) {
		sort->runs = calloc(sort->run_limit, sizeof(*sort->runs));
		sort->heap = calloc(sort->run_limit, sizeof(*sort->heap));
		sort->out = malloc(BUFFER_WRITTEN);
	}
	if (!sort->runs || !sort->heap || !sort->out) {
		free_runs(sort);
		strbuf_string(error, "out of memory for sorting");
		return -1;
	}
	if (sort->file < 0)
		sort->file = sort->target = spill_file_open();
	return sort->file < 0 ? spill_file_fail("write", error) : 0;
}

static int end_run(struct external_sort *sort, uint64_t from, struct strbuf *error)
{
	if (flush_run(sort, error))
		return -1;
	sort->runs[sort->run_count++] = (struct run){.at = from, .end = sort->written};
	sort->all_runs++;
	return 0;
}

/* Reads more of the run into its buffer, after the unused part. */
static int fill(const struct external_sort *sort, struct run *run, size_t room,
		struct strbuf *error)
{
	size_t rest = run->filled - run->used;
	ssize_t got;

	memmove(run->buffer, run->buffer + run->used, rest);
	run->used = 0;
	run->filled = rest;
	while (run->filled < room && run->at < run->end) {
		size_t wanted = room - run->filled;

		if (wanted > run->end - run->at)
			wanted = (size_t)(run->end - run->at);
		got = pread(sort->file, run->buffer + run->filled, wanted, (off_t)run->at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got ? errno : EIO;
			return spill_file_fail("read", error);
		}
		run->filled += (size_t)got;
		run->at += (uint64_t)got;
	}
	return 0;
}

static const struct item_head *head_of(const struct run *run)
{
	return (const void *)(run->buffer + run->used);
}

/* Returns 1 if the run's next item is in its buffer, 0 after the last one, -1 with a sentence. */
static int load(const struct external_sort *sort, struct run *run, struct strbuf *error)
{
	size_t room = (sort->budget / sort->run_count) & ~(size_t)7;
	size_t there = run->filled - run->used;

	if (there < sizeof(struct item_head) ||
	    there - sizeof(struct item_head) < head_of(run)->size) {
		if (fill(sort, run, room, error))
			return -1;
		there = run->filled;
	}
	return there > 0;
}

static bool run_is_before(const struct run *one, const struct run *other)
{
	int result = compare_heads(head_of(one), head_of(other));

	return result ? result < 0 : one < other;
}

/* Moves the run at `at` down to its place in the heap. */
static void sift(struct external_sort *sort, size_t at)
{
	struct run *run = sort->heap[at];

	for (size_t next = 2 * at + 1; next < sort->heap_count; next = 2 * at + 1) {
		if (next + 1 < sort->heap_count &&
		    run_is_before(sort->heap[next + 1], sort->heap[next]))
			next++;
		if (run_is_before(run, sort->heap[next]))
			break;
		sort->heap[at] = sort->heap[next];
		at = next;
	}
	sort->heap[at] = run;
}

/* All items are in the file: their memory is used for the buffers of the runs. */
static int begin_merge(struct external_sort *sort, struct strbuf *error)
{
	size_t room = (sort->budget / sort->run_count) & ~(size_t)7;

	sort->heap_count = 0;
	for (size_t i = 0; i < sort->run_count; i++) {
		struct run *run = &sort->runs[i];
		int result;

		run->buffer = sort->memory + i * room;
		run->filled = run->used = 0;
		result = load(sort, run, error);
		if (result < 0)
			return -1;
		if (result)
			sort->heap[sort->heap_count++] = run;
	}
	for (size_t i = sort->heap_count / 2; i--;)
		sift(sort, i);
	return 0;
}

/* Advances past the item at the top. */
static int pass(struct external_sort *sort, struct strbuf *error)
{
	struct run *run = sort->heap[0];
	int result;

	run->used += sizeof(struct item_head) + head_of(run)->size;
	result = load(sort, run, error);
	if (result < 0)
		return -1;
	if (!result)
		sort->heap[0] = sort->heap[--sort->heap_count];
	if (sort->heap_count)
		sift(sort, 0);
	return 0;
}

/* Merges all runs into one, in a new file. */
static int merge_runs(struct external_sort *sort, struct strbuf *error)
{
	int result;

	sort->target = spill_file_open();
	if (sort->target < 0)
		return spill_file_fail("write", error);
	sort->written = 0;
	result = begin_merge(sort, error);
	while (!result && sort->heap_count)
		result = write_item(sort, head_of(sort->heap[0]), error) || pass(sort, error);
	close(sort->file);
	sort->file = sort->target;
	sort->run_count = 0;
	return result ? -1 : end_run(sort, 0, error);
}

static int spill(struct external_sort *sort, struct strbuf *error)
{
	const struct entry *list;
	uint64_t from;

	if (!sort->count)
		return 0;
	if (begin_run(sort, error))
		return -1;
	from = sort->written;
	sort_entries(sort);
	list = entries_of(sort);
	for (size_t i = 0; i < sort->count; i++)
		if (write_item(sort, item_at(sort, list[i].at), error))
			return -1;
	sort->used = sort->count = 0;
	if (end_run(sort, from, error))
		return -1;
	return sort->run_count == sort->run_limit ? merge_runs(sort, error) : 0;
}

int external_sort_add(struct external_sort *sort, const struct sort_item *item,
		      struct strbuf *error)
{
	size_t size = (item->size + 7) & ~(size_t)7;
	size_t entries = (sort->count + 1) * sizeof(struct entry);
	struct item_head *head;

	if (size > SORT_ITEM_MOST) {
		strbuf_string(error, "an item is too large to be sorted");
		return -1;
	}
	if (sort->used + sizeof(*head) + size + entries + entries / 2 + sizeof(struct entry) >
		    sort->budget &&
	    spill(sort, error))
		return -1;
	head = (void *)(sort->memory + sort->used);
	*head = (struct item_head){item->key, item->second, item->third, size};
	memcpy(head + 1, item->bytes, item->size);
	memset((char *)(head + 1) + item->size, 0, size - item->size);
	sort->count++;
	*entries_of(sort) = (struct entry){item->key, sort->used};
	sort->used += sizeof(*head) + size;
	return 0;
}

static void give(const struct item_head *head, struct sort_item *item)
{
	*item = (struct sort_item){head->key, head->second, head->third, head + 1, head->size};
}

static int next_in_memory(struct external_sort *sort, struct sort_item *item)
{
	if (!sort->reached)
		sort_entries(sort);
	if (sort->reached == sort->count)
		return 0;
	give(item_at(sort, entries_of(sort)[sort->reached++].at), item);
	return 1;
}

int external_sort_next(struct external_sort *sort, struct sort_item *item, struct strbuf *error)
{
	if (!sort->runs)
		return next_in_memory(sort, item);
	if (!sort->is_read) {
		if (spill(sort, error) || begin_merge(sort, error))
			return -1;
	} else if (sort->heap_count && pass(sort, error)) {
		return -1;
	}
	sort->is_read = true;
	if (!sort->heap_count)
		return 0;
	give(head_of(sort->heap[0]), item);
	return 1;
}

uint64_t external_sort_runs(const struct external_sort *sort)
{
	return sort->all_runs;
}

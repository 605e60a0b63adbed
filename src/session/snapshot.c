/* SPDX-License-Identifier: MIT */
#include "session/snapshot.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/address_space.h"
#include "base/map.h"
#include "base/memory.h"

enum { MAPPED = 64 << 10 /* bytes from which an object has a mapping of its own */ };

struct snapshot {
	struct snapshot *next;
	uint64_t serial;
	uint64_t bytes;
	uint64_t generation;	 /* others have lost their contents */
	unsigned char *contents; /* whole blocks; NULL: the object has ended */
	uint64_t *known;	 /* a bit for each word */
	uint64_t missed; /* serial number of an object that had no snapshot for lack of memory */
	bool is_lost;	 /* the contents are not known */
	bool is_examined; /* the patterns of this part were found since the last change */
	uint64_t offset, part;
	struct value_layout layout;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map snapshots; /* by address; those of ended objects are used again */
static struct snapshot *all;
static struct snapshot_limits limits; /* all 0: no snapshots are made */
static uint64_t used;		      /* bytes of all objects */
static uint64_t generation;

static size_t blocks_of(uint64_t bytes)
{
	return (size_t)((bytes + DIFFERENCE_BLOCK - 1) / DIFFERENCE_BLOCK);
}

/* The contents, and the bits behind them. */
static size_t room_of(uint64_t bytes)
{
	return blocks_of(bytes) * (DIFFERENCE_BLOCK + sizeof(uint64_t));
}

/* Programs may have more small objects than a process may have mappings. */
static bool is_mapped(uint64_t bytes)
{
	return room_of(bytes) >= MAPPED;
}

static void empty(struct snapshot *snapshot)
{
	if (!snapshot->contents)
		return;
	if (is_mapped(snapshot->bytes))
		memory_unmap(snapshot->contents, room_of(snapshot->bytes));
	else
		free(snapshot->contents);
	address_space_give(room_of(snapshot->bytes));
	used -= snapshot->bytes;
	snapshot->contents = NULL;
	snapshot->known = NULL;
}

static bool fill(struct snapshot *snapshot, const struct snapshot_object *object)
{
	size_t room = room_of(object->bytes);
	bool mapped = is_mapped(object->bytes);

	if (!address_space_take(room))
		return false;
	snapshot->contents = mapped ? memory_map(room) : calloc(1, room);
	if (!snapshot->contents) {
		address_space_give(room);
		return false;
	}
	snapshot->known =
		(void *)(snapshot->contents + blocks_of(object->bytes) * DIFFERENCE_BLOCK);
	snapshot->serial = object->serial;
	snapshot->bytes = object->bytes;
	snapshot->generation = generation;
	snapshot->is_lost = snapshot->missed == object->serial;
	snapshot->is_examined = false;
	used += object->bytes;
	return true;
}

/* Returns the place of the address, NULL without memory. */
static struct snapshot *place_of(uint64_t address)
{
	struct snapshot *place = map_get(&snapshots, address);

	if (place)
		return place;
	place = calloc(1, sizeof(*place));
	if (!place)
		return NULL;
	if (map_set(&snapshots, address, place)) {
		free(place);
		return NULL;
	}
	place->next = all;
	all = place;
	return place;
}

/* Returns the object's snapshot, NULL if it has none. */
static struct snapshot *find(const struct snapshot_object *object)
{
	struct snapshot *found = map_get(&snapshots, object->address);

	return found && found->contents && found->serial == object->serial &&
			       found->bytes == object->bytes
		       ? found
		       : NULL;
}

/* Returns it or a new one, or NULL and the reason. */
static struct snapshot *find_or_make(const struct snapshot_object *object,
				     enum change_reason *reason)
{
	struct snapshot *found = find(object);

	*reason = CHANGE_COMPARED;
	if (found)
		return found;
	if (object->bytes > limits.object) {
		*reason = CHANGE_LARGE;
		return NULL;
	}
	found = place_of(object->address);
	if (found)
		empty(found);
	if (found && used + object->bytes <= limits.all && fill(found, object))
		return found;
	if (found)
		found->missed = object->serial;
	*reason = CHANGE_MEMORY;
	return NULL;
}

static bool is_lost(const struct snapshot *snapshot)
{
	return snapshot->is_lost || snapshot->generation != generation;
}

void snapshots_begin(const struct snapshot_limits *wanted)
{
	pthread_mutex_lock(&lock);
	limits = *wanted;
	pthread_mutex_unlock(&lock);
}

void snapshots_stop(void)
{
	pthread_mutex_lock(&lock);
	limits = (struct snapshot_limits){0};
	for (struct snapshot *snapshot = all; snapshot; snapshot = snapshot->next)
		empty(snapshot);
	pthread_mutex_unlock(&lock);
}

void snapshots_add(const struct snapshot_object *object, const void *contents)
{
	enum change_reason reason;
	struct snapshot *snapshot;

	pthread_mutex_lock(&lock);
	snapshot = find_or_make(object, &reason);
	if (snapshot && contents) {
		memcpy(snapshot->contents, contents, object->bytes);
		memset(snapshot->known, 0xff, blocks_of(object->bytes) * sizeof(uint64_t));
		snapshot->is_examined = false;
	}
	pthread_mutex_unlock(&lock);
}

void snapshots_remove(const struct snapshot_object *object)
{
	struct snapshot *snapshot;

	pthread_mutex_lock(&lock);
	snapshot = find(object);
	if (snapshot)
		empty(snapshot);
	pthread_mutex_unlock(&lock);
}

void snapshots_lose(const struct snapshot_object *object)
{
	enum change_reason reason;
	struct snapshot *snapshot;

	pthread_mutex_lock(&lock);
	snapshot = find_or_make(object, &reason);
	if (snapshot)
		snapshot->is_lost = true;
	pthread_mutex_unlock(&lock);
}

void snapshots_lose_all(void)
{
	pthread_mutex_lock(&lock);
	generation++;
	pthread_mutex_unlock(&lock);
}

enum change_reason snapshots_may_compare(const struct snapshot_object *object)
{
	enum change_reason reason;

	pthread_mutex_lock(&lock);
	find_or_make(object, &reason);
	pthread_mutex_unlock(&lock);
	return reason;
}

static void add_blocks(struct snapshot *snapshot, uint64_t offset, uint64_t bytes,
		       const unsigned char *contents, struct difference *sum)
{
	for (uint64_t end = offset + bytes; offset < end;) {
		uint64_t block = offset / DIFFERENCE_BLOCK;
		uint64_t start = block * DIFFERENCE_BLOCK, next = start + DIFFERENCE_BLOCK;

		next = next < end ? next : end;
		difference_add(sum, snapshot->contents + start, &snapshot->known[block], contents,
			       (unsigned)(offset - start), (unsigned)(next - start));
		contents += next - offset;
		offset = next;
	}
}

/* A lost snapshot takes the contents over if they are complete. */
static enum change_reason compare(struct snapshot *snapshot, uint64_t offset, uint64_t bytes,
				  const void *contents, struct difference *difference)
{
	if (!is_lost(snapshot)) {
		add_blocks(snapshot, offset, bytes, contents, difference);
		if (difference->same != bytes)
			snapshot->is_examined = false;
		return CHANGE_COMPARED;
	}
	if (bytes == snapshot->bytes) {
		memcpy(snapshot->contents, contents, bytes);
		memset(snapshot->known, 0xff, blocks_of(bytes) * sizeof(uint64_t));
		snapshot->generation = generation;
		snapshot->is_lost = false;
		snapshot->is_examined = false;
	}
	return CHANGE_LOST;
}

enum change_reason snapshots_compare(const struct snapshot_object *object, uint64_t offset,
				     uint64_t bytes, const void *contents,
				     struct difference *difference, uint64_t *hash)
{
	enum change_reason reason = CHANGE_MEMORY;
	struct snapshot *snapshot;

	*difference = (struct difference){0};
	*hash = 0;
	if (offset > object->bytes || bytes > object->bytes - offset)
		return CHANGE_FAILED;
	pthread_mutex_lock(&lock);
	snapshot = find_or_make(object, &reason);
	if (snapshot) {
		reason = compare(snapshot, offset, bytes, contents, difference);
		if (reason == CHANGE_COMPARED)
			*hash = XXH3_64bits(snapshot->contents, object->bytes);
	}
	pthread_mutex_unlock(&lock);
	return reason;
}

static bool is_same(const struct value_layout *one, const struct value_layout *other)
{
	return one->type == other->type && one->width == other->width &&
	       one->level == other->level && one->is_assumed == other->is_assumed;
}

bool snapshots_find_patterns(const struct snapshot_object *object, uint64_t offset, uint64_t bytes,
			     const struct value_layout *layout, struct value_patterns *found)
{
	struct snapshot *snapshot;
	bool finds;

	if (offset > object->bytes || bytes > object->bytes - offset)
		return false;
	pthread_mutex_lock(&lock);
	snapshot = find(object);
	finds = snapshot && !is_lost(snapshot) &&
		!(snapshot->is_examined && snapshot->offset == offset && snapshot->part == bytes &&
		  is_same(&snapshot->layout, layout));
	if (finds) {
		const struct value_part part = {snapshot->contents, snapshot->known, offset, bytes};

		value_patterns_find(found, &part, layout);
		snapshot->is_examined = true;
		snapshot->offset = offset;
		snapshot->part = bytes;
		snapshot->layout = *layout;
	}
	pthread_mutex_unlock(&lock);
	return finds;
}

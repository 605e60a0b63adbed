/* SPDX-License-Identifier: MIT */
#include "base/names.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/*
 * Ids index a lazily mapped array of pointers to the texts. A hash table of ids is used for
 * interning only, under the lock; it is rebuilt at double size when it is full.
 */
enum { MAX_NAMES = 1 << 20, ARENA_SIZE = 1 << 18, FIRST_BUCKETS = 1024 };

struct text {
	size_t length;
	uint64_t hash;
	bool word; /* text_is_word */
	char bytes[];
};

struct arena {
	struct arena *older;
	size_t size;
	size_t used;
	_Alignas(8) char bytes[];
};

struct names {
	struct text *_Atomic texts[MAX_NAMES];
	_Atomic uint32_t count; /* the highest id */
	pthread_mutex_t lock;
	struct arena *arena;
	uint32_t *buckets; /* ids; 0: free */
	uint32_t bucket_count;
	uint32_t used;
};

struct names *names_new(void)
{
	struct names *names = memory_map(sizeof(*names));

	if (names)
		pthread_mutex_init(&names->lock, NULL);
	return names;
}

void names_free(struct names *names)
{
	if (!names)
		return;
	for (struct arena *arena = names->arena, *older; arena; arena = older) {
		older = arena->older;
		memory_unmap(arena, arena->size);
	}
	memory_unmap(names->buckets, names->bucket_count * sizeof(*names->buckets));
	memory_unmap(names, sizeof(*names));
}

static uint64_t hash_bytes(const char *bytes, size_t length)
{
	uint64_t hash = text_hash(bytes, length);

	return hash ^ hash >> 32;
}

static void *arena_take(struct names *names, size_t size)
{
	struct arena *arena = names->arena;
	void *memory;

	size = (size + 7) & ~(size_t)7;
	if (!arena || arena->size - sizeof(*arena) - arena->used < size) {
		size_t whole = sizeof(*arena) + size;

		whole = whole > ARENA_SIZE ? whole : ARENA_SIZE;
		arena = memory_map(whole);
		if (!arena)
			return NULL;
		arena->size = whole;
		arena->older = names->arena;
		names->arena = arena;
	}
	memory = arena->bytes + arena->used;
	arena->used += size;
	return memory;
}

static struct text *text_of(const struct names *names, uint32_t id)
{
	if (!id || id >= MAX_NAMES)
		return NULL;
	return atomic_load_explicit(&names->texts[id], memory_order_acquire);
}

/* Returns the bucket with the text, or the free bucket for it. */
static uint32_t *find(struct names *names, const char *bytes, size_t length, uint64_t hash)
{
	for (uint64_t at = hash;; at++) {
		uint32_t *bucket = &names->buckets[at & (names->bucket_count - 1)];
		const struct text *text = text_of(names, *bucket);

		if (!text || (text->hash == hash && text->length == length &&
			      !memcmp(text->bytes, bytes, length)))
			return bucket;
	}
}

static int grow_buckets(struct names *names)
{
	uint32_t old_count = names->bucket_count;
	uint32_t *old = names->buckets;
	uint32_t count = old_count ? old_count * 2 : FIRST_BUCKETS;
	uint32_t *larger;

	if (old_count && names->used * 2 < old_count)
		return 0;
	larger = memory_map(count * sizeof(*larger));
	if (!larger)
		return -1;
	names->buckets = larger;
	names->bucket_count = count;
	for (uint32_t i = 0; i < old_count; i++) {
		const struct text *text = text_of(names, old[i]);

		if (text)
			*find(names, text->bytes, text->length, text->hash) = old[i];
	}
	memory_unmap(old, old_count * sizeof(*old));
	return 0;
}

/* Returns the memory that a text takes, rounded as in arena_take. */
static size_t text_size(size_t length)
{
	return (sizeof(struct text) + length + 8) & ~(size_t)7;
}

/* Returns NULL without memory. */
static struct text *copy(struct names *names, const char *bytes, size_t length, uint64_t hash)
{
	struct text *text = arena_take(names, text_size(length));

	if (!text)
		return NULL;
	text->length = length;
	text->hash = hash;
	text->word = text_is_word(bytes, length);
	memcpy(text->bytes, bytes, length);
	text->bytes[length] = '\0';
	return text;
}

static int store(struct names *names, uint32_t id, const char *bytes, size_t length, uint64_t hash)
{
	struct text *text = copy(names, bytes, length, hash);

	if (!text)
		return -1;
	atomic_store_explicit(&names->texts[id], text, memory_order_release);
	if (id > atomic_load_explicit(&names->count, memory_order_relaxed))
		atomic_store_explicit(&names->count, id, memory_order_release);
	return 0;
}

static bool has_room(const struct names_room *room, size_t length)
{
	return !room || (room->texts && room->bytes >= text_size(length));
}

static void take_room(struct names_room *room, size_t length)
{
	if (!room)
		return;
	room->texts--;
	room->bytes -= text_size(length);
}

/* Adds a new text and returns its id. The caller holds the lock. */
static uint32_t add(struct names *names, const char *text, size_t length, uint64_t hash,
		    struct names_room *room)
{
	uint32_t id = names_count(names) + 1;

	if (id >= MAX_NAMES || !has_room(room, length) || store(names, id, text, length, hash))
		return 0;
	take_room(room, length);
	names->used++;
	return id;
}

uint32_t names_intern_within(struct names *names, const char *text, size_t length,
			     struct names_room *room)
{
	uint64_t hash = hash_bytes(text, length);
	uint32_t id = 0;

	pthread_mutex_lock(&names->lock);
	if (!grow_buckets(names)) {
		uint32_t *bucket = find(names, text, length, hash);

		if (!*bucket)
			*bucket = add(names, text, length, hash, room);
		id = *bucket;
	}
	pthread_mutex_unlock(&names->lock);
	return id;
}

uint32_t names_intern(struct names *names, const char *text, size_t length)
{
	return names_intern_within(names, text, length, NULL);
}

const char *names_keep(struct names *names, const char *text, size_t length)
{
	uint64_t hash = hash_bytes(text, length);
	struct text *kept;

	pthread_mutex_lock(&names->lock);
	kept = names->bucket_count ? text_of(names, *find(names, text, length, hash)) : NULL;
	if (!kept)
		kept = copy(names, text, length, hash);
	pthread_mutex_unlock(&names->lock);
	return kept ? kept->bytes : NULL;
}

int names_set(struct names *names, uint32_t id, const char *text, size_t length)
{
	uint64_t hash = hash_bytes(text, length);
	int result = -1;

	if (!id || id >= MAX_NAMES)
		return -1;
	pthread_mutex_lock(&names->lock);
	if (!text_of(names, id) && !grow_buckets(names) && !store(names, id, text, length, hash)) {
		uint32_t *bucket = find(names, text, length, hash);

		if (!*bucket) {
			*bucket = id;
			names->used++;
		}
		result = 0;
	}
	pthread_mutex_unlock(&names->lock);
	return result;
}

const char *names_text(const struct names *names, uint32_t id, size_t *length)
{
	const struct text *text = text_of(names, id);

	if (length)
		*length = text ? text->length : 0;
	return text ? text->bytes : "";
}

bool names_is_word(const struct names *names, uint32_t id)
{
	const struct text *text = text_of(names, id);

	return !text || text->word;
}

void names_prefetch(const struct names *names, uint32_t id)
{
	__builtin_prefetch(text_of(names, id));
}

uint32_t names_count(const struct names *names)
{
	return atomic_load_explicit(&names->count, memory_order_acquire);
}

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/object.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "base/fork.h"
#include "base/memory.h"
#include "base/quiet.h"
#include "base/say.h"

/*
 * A hash table with chains for each kind. A node is only ever reused for objects of its kind, and
 * none is unmapped: whatever a reader without the lock walks into, it is a node, and one that has
 * the key it looks for has the object. What moves meanwhile may make it miss its node: so nothing
 * is missing before it is missed with the lock held, too.
 */
enum {
	CHUNK = 1 << 16,
	FIRST_BUCKETS = 256,
	STEPS = 64, /* without the lock */
};

struct node {
	_Atomic uint64_t key; /* the handle; 0: free */
	struct node *_Atomic next; /* of its chain, or of the free ones */
	struct node *before, *after; /* of the retired ones, by age */
	atomic_bool retired;
	_Alignas(16) char object[];
};

struct table {
	uint64_t buckets; /* a power of two */
	struct node *_Atomic heads[];
};

/* A piece of memory, full of nodes. */
struct chunk {
	struct chunk *older;
	size_t node_size;
	uint32_t nodes;
	_Atomic uint32_t used;
	_Alignas(16) char memory[];
};

static struct objects {
	struct table *_Atomic table; /* outgrown ones stay: together they are smaller */
	struct chunk *_Atomic chunks; /* newest first */
	struct node *free;
	struct node *oldest, *newest; /* of the retired ones */
	uint32_t retired;
	uint64_t count; /* in the table */
} kinds[OBJECT_KINDS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_objects(void)
{
	pthread_mutex_lock(&lock);
}

static void unlock_objects(void)
{
	pthread_mutex_unlock(&lock);
}

/* A signal handler of this thread's may look objects up. */
static void enter(sigset_t *before)
{
	quiet_all(before);
	lock_objects();
}

static void leave(const sigset_t *before)
{
	unlock_objects();
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

void object_prepare(void)
{
	fork_watch(lock_objects, unlock_objects, unlock_objects);
}

static uint64_t key_of(const void *handle)
{
	return (uint64_t)(uintptr_t)handle;
}

static struct node *_Atomic *bucket(struct table *table, uint64_t key)
{
	uint64_t at = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;

	return &table->heads[(at ^ at >> 32) & (table->buckets - 1)];
}

static struct node *next_of(const struct node *node)
{
	return atomic_load_explicit(&node->next, memory_order_acquire);
}

static struct node *search(const struct objects *objects, uint64_t key, uint64_t steps)
{
	struct table *table = atomic_load_explicit(&objects->table, memory_order_acquire);
	struct node *node;

	if (!table)
		return NULL;
	node = atomic_load_explicit(bucket(table, key), memory_order_acquire);
	for (; node && steps; node = next_of(node), steps--)
		if (atomic_load_explicit(&node->key, memory_order_acquire) == key)
			return node;
	return NULL;
}

/* With the lock held. */
static struct node *search_surely(const struct objects *objects, uint64_t key)
{
	return search(objects, key, UINT64_MAX);
}

void *object_find(enum object_kind kind, const void *handle)
{
	struct objects *objects = &kinds[kind];
	struct node *node;
	sigset_t before;

	if (!handle)
		return NULL;
	node = search(objects, key_of(handle), STEPS);
	if (!node) {
		enter(&before);
		node = search_surely(objects, key_of(handle));
		leave(&before);
	}
	return node ? node->object : NULL;
}

/* The functions from here to object_put are for the lock's owner. */

static void put_first(struct table *table, struct node *node, uint64_t key)
{
	struct node *_Atomic *head = bucket(table, key);

	atomic_store_explicit(&node->next, atomic_load_explicit(head, memory_order_relaxed),
			      memory_order_release);
	atomic_store_explicit(head, node, memory_order_release);
}

static void move_chain(struct table *to, struct node *node)
{
	while (node) {
		struct node *next = next_of(node);

		put_first(to, node, node->key);
		node = next;
	}
}

static struct table *table_with_room(struct objects *objects)
{
	struct table *table = objects->table, *larger;
	uint64_t buckets = table ? table->buckets * 2 : FIRST_BUCKETS;

	if (table && objects->count < table->buckets)
		return table;
	larger = memory_map(sizeof(*larger) + buckets * sizeof(larger->heads[0]));
	if (!larger)
		return table;
	larger->buckets = buckets;
	for (uint64_t i = 0; table && i < table->buckets; i++)
		move_chain(larger, table->heads[i]);
	atomic_store_explicit(&objects->table, larger, memory_order_release);
	return larger;
}

static struct node *take_of_chunk(struct objects *objects, size_t object_size)
{
	struct chunk *chunk = objects->chunks;
	uint32_t used = chunk ? chunk->used : 0;
	struct node *node;

	if (!chunk || used == chunk->nodes) {
		chunk = memory_map(CHUNK);
		if (!chunk)
			return NULL;
		chunk->older = objects->chunks;
		chunk->node_size = (sizeof(*node) + object_size + 15) & ~(size_t)15;
		chunk->nodes = (uint32_t)((CHUNK - sizeof(*chunk)) / chunk->node_size);
		atomic_store_explicit(&objects->chunks, chunk, memory_order_release);
		used = 0;
	}
	node = (struct node *)(void *)(chunk->memory + used * chunk->node_size);
	atomic_store_explicit(&chunk->used, used + 1, memory_order_release);
	return node;
}

static struct node *take(struct objects *objects, size_t size)
{
	struct node *node = objects->free;

	if (!node)
		return take_of_chunk(objects, size);
	objects->free = next_of(node);
	return node;
}

static void revive(struct objects *objects, struct node *node)
{
	if (!node->retired)
		return;
	*(node->before ? &node->before->after : &objects->oldest) = node->after;
	*(node->after ? &node->after->before : &objects->newest) = node->before;
	objects->retired--;
	node->retired = false;
}

static void forget(struct objects *objects, struct node *node)
{
	struct node *_Atomic *at = bucket(objects->table, node->key);

	while (*at != node)
		at = &(*at)->next;
	atomic_store_explicit(at, next_of(node), memory_order_release);
	atomic_store_explicit(&node->key, 0, memory_order_release);
	atomic_store_explicit(&node->next, objects->free, memory_order_release);
	objects->free = node;
	objects->count--;
}

static void retire(struct objects *objects, struct node *node)
{
	struct node *oldest = objects->oldest;

	node->before = objects->newest;
	node->after = NULL;
	*(node->before ? &node->before->after : &objects->oldest) = node;
	objects->newest = node;
	node->retired = true;
	if (++objects->retired <= OBJECT_RETIRED)
		return;
	revive(objects, oldest);
	forget(objects, oldest);
}

static struct node *put(struct objects *objects, uint64_t key, const void *object, size_t size)
{
	struct node *node = search_surely(objects, key);
	struct table *table;

	if (node) {
		revive(objects, node);
		memcpy(node->object, object, size);
		return node;
	}
	table = table_with_room(objects);
	node = table ? take(objects, size) : NULL;
	if (!node)
		return NULL;
	memcpy(node->object, object, size);
	atomic_store_explicit(&node->key, key, memory_order_release);
	put_first(table, node, key);
	objects->count++;
	return node;
}

void *object_put(enum object_kind kind, const void *handle, const void *object, size_t size)
{
	struct node *node;
	sigset_t before;

	if (!handle)
		return NULL;
	enter(&before);
	node = put(&kinds[kind], key_of(handle), object, size);
	leave(&before);
	if (!node)
		say_no_memory();
	return node ? node->object : NULL;
}

void object_retire(enum object_kind kind, const void *handle, const atomic_uint *references)
{
	struct objects *objects = &kinds[kind];
	struct node *node;
	sigset_t before;

	enter(&before);
	node = search_surely(objects, key_of(handle));
	if (node && !node->retired && !atomic_load(references))
		retire(objects, node);
	leave(&before);
}

unsigned object_release(enum object_kind kind, const void *handle, atomic_uint *references)
{
	unsigned count = atomic_load(references);

	do
		if (!count)
			return 0;
	while (!atomic_compare_exchange_weak(references, &count, count - 1));
	if (count == 1)
		object_retire(kind, handle, references);
	return count;
}

void object_undo_release(enum object_kind kind, const void *handle, atomic_uint *references,
			 unsigned count)
{
	struct node *node;
	sigset_t before;

	if (!count)
		return;
	atomic_fetch_add(references, 1);
	enter(&before);
	node = search_surely(&kinds[kind], key_of(handle));
	if (node)
		revive(&kinds[kind], node);
	leave(&before);
}

static void each_of(struct chunk *chunk, void (*visit)(void *object))
{
	uint32_t used = atomic_load_explicit(&chunk->used, memory_order_acquire);

	for (uint32_t i = 0; i < used; i++) {
		struct node *node = (struct node *)(void *)(chunk->memory + i * chunk->node_size);

		if (atomic_load_explicit(&node->key, memory_order_acquire) && !node->retired)
			visit(node->object);
	}
}

void object_each(enum object_kind kind, void (*visit)(void *object))
{
	struct chunk *chunk = atomic_load_explicit(&kinds[kind].chunks, memory_order_acquire);

	for (; chunk; chunk = chunk->older)
		each_of(chunk, visit);
}

/* SPDX-License-Identifier: MIT */
#include "base/handles.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "base/fork.h"
#include "base/memory.h"
#include "base/sigmask.h"

/*
 * A hash table with chains. Nodes are reused within their table only and are never unmapped, so a
 * reader without the lock always reads a node, and a node with the right key has the right object.
 * Concurrent moves may hide a node from such a reader, so a failed lookup is repeated with the lock
 * held.
 */
enum {
	CHUNK = 1 << 16,
	FIRST_BUCKETS = 256,
	STEPS = 64, /* steps of a search without the lock */
};

struct handle {
	struct handle *_Atomic next; /* next in its chain, or in the free list */
	struct handle *before, *after; /* neighbours in the list of retired nodes, by age */
	atomic_bool retired;
	_Alignas(16) uint64_t unused;
	_Atomic uint64_t key; /* the handle; 0: free */
	char object[];
};

_Static_assert(offsetof(struct handle, object) ==
			       offsetof(struct handle, key) + sizeof(uint64_t) &&
		       offsetof(struct handle, object) % 16 == 0,
	       "handles_is finds the key there, and objects are aligned");

struct handle_table {
	uint64_t buckets; /* a power of two */
	struct handle *_Atomic heads[];
};

/* A block of memory for nodes. */
struct handle_chunk {
	struct handle_chunk *older;
	size_t node_size;
	uint32_t nodes;
	_Atomic uint32_t used;
	_Alignas(16) char memory[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_handles(void)
{
	pthread_mutex_lock(&lock);
}

static void unlock_handles(void)
{
	pthread_mutex_unlock(&lock);
}

/* Signals are blocked, since a signal handler of this thread may look objects up. */
static void enter(sigset_t *before)
{
	sigmask_all(before);
	lock_handles();
}

static void leave(const sigset_t *before)
{
	unlock_handles();
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

static void watch(void)
{
	fork_watch(lock_handles, unlock_handles, unlock_handles);
}

void handles_prepare(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch);
}

static struct handle *_Atomic *bucket(struct handle_table *table, uint64_t key)
{
	uint64_t at = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;

	return &table->heads[(at ^ at >> 32) & (table->buckets - 1)];
}

static struct handle *next_of(const struct handle *node)
{
	return atomic_load_explicit(&node->next, memory_order_acquire);
}

static struct handle *search(const struct handles *handles, uint64_t key, uint64_t steps)
{
	struct handle_table *table = atomic_load_explicit(&handles->table, memory_order_acquire);
	struct handle *node;

	if (!table)
		return NULL;
	node = atomic_load_explicit(bucket(table, key), memory_order_acquire);
	for (; node && steps; node = next_of(node), steps--)
		if (atomic_load_explicit(&node->key, memory_order_acquire) == key)
			return node;
	return NULL;
}

/* The caller holds the lock. */
static struct handle *search_surely(const struct handles *handles, uint64_t key)
{
	return search(handles, key, UINT64_MAX);
}

void *handles_find(const struct handles *handles, uint64_t key)
{
	struct handle *node;
	sigset_t before;

	if (!key)
		return NULL;
	node = search(handles, key, STEPS);
	if (!node) {
		enter(&before);
		node = search_surely(handles, key);
		leave(&before);
	}
	return node ? node->object : NULL;
}

/* The functions from here to handles_put need the lock. */

static void put_first(struct handle_table *table, struct handle *node, uint64_t key)
{
	struct handle *_Atomic *head = bucket(table, key);

	atomic_store_explicit(&node->next, atomic_load_explicit(head, memory_order_relaxed),
			      memory_order_release);
	atomic_store_explicit(head, node, memory_order_release);
}

static void move_chain(struct handle_table *to, struct handle *node)
{
	while (node) {
		struct handle *next = next_of(node);

		put_first(to, node, node->key);
		node = next;
	}
}

static struct handle_table *table_with_room(struct handles *handles)
{
	struct handle_table *table = handles->table, *larger;
	uint64_t buckets = table ? table->buckets * 2 : FIRST_BUCKETS;

	if (table && handles->count < table->buckets)
		return table;
	larger = memory_map(sizeof(*larger) + buckets * sizeof(larger->heads[0]));
	if (!larger)
		return table;
	larger->buckets = buckets;
	for (uint64_t i = 0; table && i < table->buckets; i++)
		move_chain(larger, table->heads[i]);
	atomic_store_explicit(&handles->table, larger, memory_order_release);
	return larger;
}

static struct handle *node_at(struct handle_chunk *chunk, uint32_t number)
{
	return (struct handle *)(void *)(chunk->memory + number * chunk->node_size);
}

static struct handle *take_of_chunk(struct handles *handles, size_t object_size)
{
	struct handle_chunk *chunk = handles->chunks;
	uint32_t used = chunk ? chunk->used : 0;
	struct handle *node;

	if (!chunk || used == chunk->nodes) {
		chunk = memory_map(CHUNK);
		if (!chunk)
			return NULL;
		chunk->older = handles->chunks;
		chunk->node_size = (sizeof(*node) + object_size + 15) & ~(size_t)15;
		chunk->nodes = (uint32_t)((CHUNK - sizeof(*chunk)) / chunk->node_size);
		atomic_store_explicit(&handles->chunks, chunk, memory_order_release);
		used = 0;
	}
	node = node_at(chunk, used);
	atomic_store_explicit(&chunk->used, used + 1, memory_order_release);
	return node;
}

static struct handle *take(struct handles *handles, size_t size)
{
	struct handle *node = handles->free;

	if (!node)
		return take_of_chunk(handles, size);
	handles->free = next_of(node);
	return node;
}

static void revive(struct handles *handles, struct handle *node)
{
	if (!node->retired)
		return;
	*(node->before ? &node->before->after : &handles->oldest) = node->after;
	*(node->after ? &node->after->before : &handles->newest) = node->before;
	handles->retired--;
	node->retired = false;
}

static void forget(struct handles *handles, struct handle *node)
{
	struct handle *_Atomic *at = bucket(handles->table, node->key);

	while (*at != node)
		at = &(*at)->next;
	atomic_store_explicit(at, next_of(node), memory_order_release);
	atomic_store_explicit(&node->key, 0, memory_order_release);
	atomic_store_explicit(&node->next, handles->free, memory_order_release);
	handles->free = node;
	handles->count--;
}

static void retire(struct handles *handles, struct handle *node)
{
	struct handle *oldest = handles->oldest;

	node->before = handles->newest;
	node->after = NULL;
	*(node->before ? &node->before->after : &handles->oldest) = node;
	handles->newest = node;
	node->retired = true;
	if (++handles->retired <= handles->keep)
		return;
	revive(handles, oldest);
	forget(handles, oldest);
}

static struct handle *put(struct handles *handles, uint64_t key, const void *object, size_t size)
{
	struct handle *node = search_surely(handles, key);
	struct handle_table *table;

	if (node) {
		revive(handles, node);
		memcpy(node->object, object, size);
		return node;
	}
	table = table_with_room(handles);
	node = table ? take(handles, size) : NULL;
	if (!node)
		return NULL;
	memcpy(node->object, object, size);
	atomic_store_explicit(&node->key, key, memory_order_release);
	put_first(table, node, key);
	handles->count++;
	return node;
}

void *handles_put(struct handles *handles, uint64_t key, const void *object, size_t size)
{
	struct handle *node;
	sigset_t before;

	if (!key)
		return NULL;
	enter(&before);
	node = put(handles, key, object, size);
	leave(&before);
	return node ? node->object : NULL;
}

void handles_retire(struct handles *handles, uint64_t key, const atomic_uint *references)
{
	struct handle *node;
	sigset_t before;

	enter(&before);
	node = search_surely(handles, key);
	if (node && !node->retired && !(references && atomic_load(references)))
		retire(handles, node);
	leave(&before);
}

void handles_revive(struct handles *handles, uint64_t key)
{
	struct handle *node;
	sigset_t before;

	enter(&before);
	node = search_surely(handles, key);
	if (node)
		revive(handles, node);
	leave(&before);
}

static void each_of(struct handle_chunk *chunk, void (*visit)(void *object))
{
	uint32_t used = atomic_load_explicit(&chunk->used, memory_order_acquire);

	for (uint32_t i = 0; i < used; i++) {
		struct handle *node = node_at(chunk, i);

		if (atomic_load_explicit(&node->key, memory_order_acquire) && !node->retired)
			visit(node->object);
	}
}

void handles_each(const struct handles *handles, void (*visit)(void *object))
{
	struct handle_chunk *chunk =
		atomic_load_explicit(&handles->chunks, memory_order_acquire);

	for (; chunk; chunk = chunk->older)
		each_of(chunk, visit);
}

/* SPDX-License-Identifier: MIT */
#include "backend/opencl/object.h"

#include <pthread.h>
#include <string.h>

#include "base/fork.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/say.h"

enum { POOL = 1 << 16 };

static struct map maps[OBJECT_KINDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *pool; /* what is left of the newest piece of memory */
static size_t pool_left;

static void lock_objects(void)
{
	pthread_mutex_lock(&lock);
}

static void unlock_objects(void)
{
	pthread_mutex_unlock(&lock);
}

void object_prepare(void)
{
	fork_watch(lock_objects, unlock_objects, unlock_objects);
}

static uint64_t key_of(const void *handle)
{
	return (uint64_t)(uintptr_t)handle;
}

void *object_find(enum object_kind kind, const void *handle)
{
	return map_get(&maps[kind], key_of(handle));
}

/* With the lock held. */
static void *take(size_t size)
{
	void *memory;

	size = (size + 15) & ~(size_t)15;
	if (pool_left < size) {
		pool = memory_map(POOL);
		pool_left = pool ? POOL : 0;
		if (!pool)
			return NULL;
	}
	memory = pool;
	pool += size;
	pool_left -= size;
	return memory;
}

void *object_put(enum object_kind kind, const void *handle, const void *object, size_t size)
{
	void *place;

	if (!handle)
		return NULL;
	lock_objects();
	place = map_get(&maps[kind], key_of(handle));
	if (place) {
		memcpy(place, object, size);
	} else {
		place = take(size);
		if (place) {
			memcpy(place, object, size);
			if (map_set(&maps[kind], key_of(handle), place))
				place = NULL;
		}
	}
	unlock_objects();
	if (!place)
		say_no_memory();
	return place;
}

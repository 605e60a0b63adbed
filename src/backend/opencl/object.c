/* SPDX-License-Identifier: MIT */
#include "backend/opencl/object.h"

#include "base/handles.h"
#include "base/say.h"
#include "session/probe.h"

static struct handles kinds[OBJECT_KINDS] = {
	[0 ... OBJECT_KINDS - 1] = {.keep = OBJECT_RETIRED},
};

static __thread void *recents[OBJECT_REPEATED] __attribute__((tls_model("initial-exec")));

void object_prepare(void)
{
	handles_prepare();
}

static uint64_t key_of(const void *handle)
{
	return (uint64_t)(uintptr_t)handle;
}

/* A signal handler or another thread may look up another object at any moment, so the last one is
 * read once. */
static inline void *find_again(enum object_kind kind, const void *handle, void **last)
{
	void *found = __atomic_load_n(last, __ATOMIC_RELAXED);

	if (found && handles_is(found, key_of(handle)))
		return found;
	found = handles_find(&kinds[kind], key_of(handle));
	__atomic_store_n(last, found, __ATOMIC_RELAXED);
	return found;
}

/* A thread mostly uses the queue and the kernel that it has used last. */
void *object_find(enum object_kind kind, const void *handle)
{
	if (kind >= OBJECT_REPEATED)
		return handles_find(&kinds[kind], key_of(handle));
	return find_again(kind, handle, &recents[kind]);
}

void *object_find_again(enum object_kind kind, const void *handle, void **last)
{
	return find_again(kind, handle, last);
}

void *object_put(enum object_kind kind, const void *handle, const void *object, size_t size)
{
	void *place = handles_put(&kinds[kind], key_of(handle), object, size);

	probe_announce_none(); /* the driver was queried */
	if (!place && handle)
		say_no_memory();
	return place;
}

void object_retire(enum object_kind kind, const void *handle, const atomic_uint *references)
{
	handles_retire(&kinds[kind], key_of(handle), references);
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
	if (!count)
		return;
	atomic_fetch_add(references, 1);
	handles_revive(&kinds[kind], key_of(handle));
}

void object_each(enum object_kind kind, void (*visit)(void *object))
{
	handles_each(&kinds[kind], visit);
}

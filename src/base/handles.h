/* SPDX-License-Identifier: MIT */
#ifndef BASE_HANDLES_H
#define BASE_HANDLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A table from a key other than 0 (a handle, or a pair of ids) to data about a driver's object. A
 * lookup takes no lock, unless it fails at first.
 *
 * The data of a released object is retired: it can still be found, since calls may still refer to
 * it. Its memory is reused after `keep` more objects have retired. A new object with the same key
 * takes its place at once. Memory is never unmapped, so a pointer to an object stays valid,
 * although its contents may change to another object of the table.
 *
 * All functions may be called on any thread, and handles_find also in a signal handler. They work
 * in the child of a fork if handles_prepare was called before.
 */
struct handles {
	uint32_t keep; /* number of retired objects to keep; initialize the rest to zero */
	uint32_t retired;
	struct handle_table *_Atomic table; /* outgrown tables are kept; together they are
					     * smaller */
	struct handle_chunk *_Atomic chunks; /* newest first */
	struct handle *free;
	struct handle *oldest, *newest; /* in the list of retired objects */
	uint64_t count; /* objects in the table */
};

/* Prepares all tables for forks. Call before session_attach: a fork takes this lock after the
 * session's. */
void handles_prepare(void);

/* Returns the object for `key`, or NULL. */
void *handles_find(const struct handles *handles, uint64_t key);

/* Returns true if `object`, found in this table before, is the one of `key` now. Faster than a
 * search for a caller that asks for the same object again. */
static inline bool handles_is(const void *object, uint64_t key)
{
	const _Atomic uint64_t *own = (const _Atomic uint64_t *)object - 1;

	return key && atomic_load_explicit(own, memory_order_acquire) == key;
}

/* Stores a copy of `object` (`size` bytes, constant per table) for `key` and returns it; NULL
 * without memory. */
void *handles_put(struct handles *handles, uint64_t key, const void *object, size_t size);

/* Retires the object of `key`, unless `*references`, which is in the object, is not 0: then a new
 * object has already taken its place. NULL: retires it in any case. */
void handles_retire(struct handles *handles, uint64_t key, const atomic_uint *references);
/* Reverts handles_retire. */
void handles_revive(struct handles *handles, uint64_t key);

/* Calls `visit` for each object that is not retired. No lock is held; objects may retire
 * meanwhile. */
void handles_each(const struct handles *handles, void (*visit)(void *object));

#endif

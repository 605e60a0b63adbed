/* SPDX-License-Identifier: MIT */
#ifndef BASE_HANDLES_H
#define BASE_HANDLES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What is known of a driver's objects, by a key other than 0: a handle, or a pair of ids. Looking
 * one up takes no lock, unless it is not there.
 *
 * An object that is gone is retired: it is still found, since something may still name it, but its
 * memory is reused when so many others have retired after it as the table keeps. A new object with
 * the same key takes over its place at once. Memory is never unmapped, so a thread that still has a
 * pointer to an object reads an object of the same table.
 *
 * Any thread may call these, a signal handler may look up. In the child of a fork they work if
 * handles_prepare was called before.
 */
struct handles {
	uint32_t keep; /* retired ones; the rest is zero at first */
	uint32_t retired;
	struct handle_table *_Atomic table; /* outgrown ones stay: together they are smaller */
	struct handle_chunk *_Atomic chunks; /* newest first */
	struct handle *free;
	struct handle *oldest, *newest; /* of the retired ones */
	uint64_t count; /* in the table */
};

/* For all tables. Before session_attach: a fork takes this lock behind the session's. */
void handles_prepare(void);

/* What was put under the key, or NULL. */
void *handles_find(const struct handles *handles, uint64_t key);

/* Puts a copy of `object` (`size` bytes, always the same for a table) under the key and returns it;
 * NULL without memory. */
void *handles_put(struct handles *handles, uint64_t key, const void *object, size_t size);

/* It is gone; unless `references`, which are in the object, are not 0: then a new one has its place
 * already. NULL: whatever they are. */
void handles_retire(struct handles *handles, uint64_t key, const atomic_uint *references);
/* It is not gone after all. */
void handles_revive(struct handles *handles, uint64_t key);

/* Calls `visit` for each object that is not retired, without a lock: some may retire meanwhile. */
void handles_each(const struct handles *handles, void (*visit)(void *object));

#endif

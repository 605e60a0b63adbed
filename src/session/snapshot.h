/* SPDX-License-Identifier: MIT */
#ifndef SESSION_SNAPSHOT_H
#define SESSION_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "session/difference.h"
#include "session/value_patterns.h"

/*
 * Copies of the contents of the program's memory objects, as they were after the last write. After
 * the next write, a back end passes the new contents and gets what has changed. Several threads may
 * call all functions at once; the functions allocate, and take a lock.
 */
struct snapshot_limits {
	uint64_t object; /* largest object, in bytes */
	uint64_t all;	 /* bytes of all objects together */
};

void snapshots_begin(const struct snapshot_limits *limits);

/* Frees all snapshots; from then on no object has one. */
void snapshots_stop(void);

/* An object of the program. The serial number distinguishes it from earlier objects at the same
 * address. */
struct snapshot_object {
	uint64_t address;
	uint64_t serial;
	uint64_t bytes;
};

/* Adds an object with these contents. NULL: the contents are not defined yet. */
void snapshots_add(const struct snapshot_object *object, const void *contents);

/* Frees the snapshot of an object that the program has released. */
void snapshots_remove(const struct snapshot_object *object);

/* Note that the contents of the object, or of all objects, may have changed in an unknown way. */
void snapshots_lose(const struct snapshot_object *object);
void snapshots_lose_all(void);

/* Returns CHANGE_COMPARED if a write of the object can be compared, else why not. */
enum change_reason snapshots_may_compare(const struct snapshot_object *object);

/*
 * Compares the part of the object from `offset` on with `contents`, which has `bytes` bytes.
 * Returns CHANGE_COMPARED and sets `difference` and the hash of the whole object; otherwise the
 * reason. After CHANGE_LOST the object's contents are known again only if they were given
 * completely.
 */
enum change_reason snapshots_compare(const struct snapshot_object *object, uint64_t offset,
				     uint64_t bytes, const void *contents,
				     struct difference *difference, uint64_t *hash);

/*
 * Finds the patterns of the values in the part of the object, in its contents after the last write.
 * Returns false, and finds nothing, if they are not known, or if the same part was looked at in the
 * same way since they have changed.
 */
bool snapshots_find_patterns(const struct snapshot_object *object, uint64_t offset, uint64_t bytes,
			     const struct value_layout *layout, struct value_patterns *found);

#endif

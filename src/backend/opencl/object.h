/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_OBJECT_H
#define BACKEND_OPENCL_OBJECT_H

#include <stdatomic.h>
#include <stddef.h>

/*
 * The back end's data about the program's OpenCL objects, found by handle. The header of each kind
 * has its struct. All live objects are here, and the last OBJECT_RETIRED released ones of each
 * kind, since events may refer to these (base/handles.h).
 */
enum { OBJECT_RETIRED = 1024 };

enum object_kind {
	OBJECT_QUEUE, /* from here: found again without a search if it is the thread's last one */
	OBJECT_KERNEL,
	OBJECT_REPEATED, /* up to here; the next one: */
	OBJECT_DEVICE = OBJECT_REPEATED,
	OBJECT_CONTEXT,
	OBJECT_COMMAND_BUFFER,
	OBJECT_MEMORY,
	OBJECT_ARGUMENTS, /* arguments.c; the next one: used_map.c */
	OBJECT_MAPPING,
	OBJECT_PROGRAM, /* program.c */
	OBJECT_KINDS
};

/* Call once, before all other functions here. */
void object_prepare(void);

/* Returns the object for the handle, or NULL. */
void *object_find(enum object_kind kind, const void *handle);

/* The same, for a caller that keeps in `last` the object that this has returned last, initially
 * NULL: the same handle needs no search. Several threads may use one `last`. */
void *object_find_again(enum object_kind kind, const void *handle, void **last);

/* Stores a copy of `object` (`size` bytes, constant per kind) for the handle and returns it; NULL
 * without memory. */
void *object_put(enum object_kind kind, const void *handle, const void *object, size_t size);

/* Retires the object if `references` is 0, unless a new object has taken its place. */
void object_retire(enum object_kind kind, const void *handle, const atomic_uint *references);

/* Removes one of the program's references; with the last one the object retires. Call before the
 * driver's release: right after that the handle may be reused. Returns the number before, 0 if it
 * was retired already. */
unsigned object_release(enum object_kind kind, const void *handle, atomic_uint *references);
/* Reverts object_release after the driver has refused it. `count` is what it has returned. */
void object_undo_release(enum object_kind kind, const void *handle, atomic_uint *references,
			 unsigned count);

/* Calls `visit` for each object that is not retired. No lock is held; objects may retire
 * meanwhile. */
void object_each(enum object_kind kind, void (*visit)(void *object));

#endif

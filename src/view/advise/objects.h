/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_OBJECTS_H
#define VIEW_ADVISE_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/event.h"

/*
 * The memory objects of one process: from the allocation to the release, with their uses. All times
 * are nanoseconds since the epoch: those of the commands on the device, or of the call if a command
 * has no times.
 */
enum { OBJECT_NONE = UINT32_MAX };

enum object_flag {
	OBJECT_RELEASED = 1 << 0,
	OBJECT_REPLACED = 1 << 1, /* another one was allocated at its address: its release, at
				     `released` at the latest, is missing */
	OBJECT_UNTIMED = 1 << 2, /* a command that uses it has no times */
	OBJECT_OUTLIVED = 1 << 3, /* a command that uses it began after its release */
	OBJECT_AT_PEAK = 1 << 4, /* it is a part of the peak of its context */
};

/* The two ways to count uses. */
enum life_kind {
	LIFE_ALL,
	LIFE_DEVICE, /* without copies from and to the host and fills, which can be moved */
	LIVES
};

/* The uses of an object, and the kernels of its context that ran between them. */
struct life {
	uint64_t uses;
	uint64_t first;	 /* start of the first use */
	uint64_t last;	 /* end of the last use */
	uint64_t before; /* kernels between the allocation and the first use */
	uint64_t after;	 /* kernels between the last use and the release */
	uint64_t gaps;	 /* between two uses, with at least as many kernels as requested */
	uint64_t gap_time;    /* of all of them, ns */
	uint64_t gap_kernels; /* the most in one gap */
	uint64_t started; /* kernels of the context that had started at `last` */
	uint32_t running; /* uses at this time */
};

/* Where an object was used. */
struct use_place {
	uint32_t name; /* of the kernel, in the name table, 0: none */
	uint32_t argument;
	uint16_t kind; /* enum frame_kind of the command, 0: not known */
};

struct object {
	uint64_t address;
	uint64_t bytes;
	uint64_t allocated;
	uint64_t released; /* with OBJECT_RELEASED or OBJECT_REPLACED */
	uint32_t number;   /* from 1, in the order of allocation */
	uint32_t context;  /* these as struct allocation has them */
	uint32_t device;
	uint32_t name;
	uint32_t stack; /* of the allocation, 0: none */
	uint16_t api;
	uint16_t memory; /* enum memory_kind */
	uint32_t flags;	 /* enum object_flag */
	uint32_t reuses; /* object whose memory it could take, or OBJECT_NONE */
	uint32_t next;	 /* for the search of that */
	struct life lives[LIVES];
	struct use_place first_use, last_use;
	/* Writes of the whole object that another one overwrites before any read. */
	uint64_t dead_writes;
	uint64_t dead_time; /* ns */
	uint64_t unread; /* writes that nothing has read so far, and their time */
	uint64_t unread_time;
	bool unread_assumed; /* it is assumed that nothing has read them */
	bool dead_assumed;   /* the same of dead_writes */
};

/* The memory of a context, on its device or on the host; and its commands. */
struct memory_place {
	bool is_used;
	uint64_t kernels_started, kernels_ended;
	uint64_t opaque; /* commands whose uses the trace does not have */
	uint64_t live, peak; /* bytes of all objects */
	uint64_t peak_time;
	uint64_t peak_objects, live_objects;
	uint64_t needed, needed_peak; /* of objects between their first and their last use */
	uint64_t active, active_peak; /* of objects that a running command uses */
};

enum { DEVICE_PLACES = CATALOG_CONTEXTS + 1, MEMORY_PLACES = 2 * DEVICE_PLACES };

struct objects {
	struct object *list; /* by address */
	uint32_t count;
	uint32_t *order; /* numbers of `list`, by time of allocation */
	struct memory_place *places; /* MEMORY_PLACES: by context, the unknown one first; then the
					same for memory of the host. Commands are in the first */
	uint64_t idle; /* kernels that make a gap between two uses */
	uint64_t uses; /* all in the trace, without those with USE_NONE */
	uint32_t apis; /* whose uses were recorded, as bits: 1 << enum api */
	uint64_t unknown_uses; /* of objects that are older than the trace */
	uint64_t released_uses; /* of objects that were released before */
	uint64_t untimed_uses;
	uint64_t opaque; /* commands without uses, in all places */
	uint64_t kernels; /* with times, that use an object */
	uint64_t start, end; /* of the first and the last event of memory or use in the trace; `end`
				is that of the last call if it is later */
};

static inline uint32_t objects_place(uint32_t context)
{
	return context < CATALOG_CONTEXTS ? context + 1 : 0;
}

/* Buffers in memory of the host do not add to that of the device. */
static inline uint32_t object_place(const struct object *object)
{
	bool is_host = object->memory == MEMORY_KIND_PAGEABLE ||
		       object->memory == MEMORY_KIND_PINNED;

	return objects_place(object->context) + (is_host ? DEVICE_PLACES : 0);
}

/* The uses that count: those by the device if there are any, else all. Returns NULL for an object
 * that was not used. */
static inline const struct life *object_life(const struct object *object)
{
	const struct life *device = &object->lives[LIFE_DEVICE];

	if (device->uses)
		return device;
	return object->lives[LIFE_ALL].uses ? &object->lives[LIFE_ALL] : NULL;
}

/* Returns false for a variable of a module, whose lifetime the program does not decide, and for
 * memory of an API without uses in the trace. */
static inline bool object_is_examined(const struct objects *objects, const struct object *object)
{
	return object->memory != MEMORY_KIND_STATIC && object->api < API_COUNT &&
	       objects->apis & 1u << object->api;
}

/* Returns the time of the object's release; if it was not released, the end of the trace. */
static inline uint64_t object_end(const struct objects *objects, const struct object *object)
{
	return object->flags & (OBJECT_RELEASED | OBJECT_REPLACED) ? object->released
								    : objects->end;
}

/*
 * Collects the allocations, uses and commands of a process in any order. Uses and commands are
 * sorted within the memory of view/stream/external_sort.h; an object takes about 400 bytes.
 */
struct collect;

/* `process` is that of the stream's catalog, and must stay valid. Returns NULL without memory. */
struct collect *collect_new(const struct process *process);
void collect_free(struct collect *collect); /* NULL: does nothing */

/* Adds a record, an allocation, a use or a call; other frames are ignored. Returns 0, or -1 with
 * one sentence in `error`. */
int collect_add(struct collect *collect, const struct frame *frame, struct strbuf *error);

/* Makes the objects of everything that was added. A gap between two uses counts if `idle` kernels,
 * at least 1, ran in it. Returns 0, or -1 with one sentence in `error`; the caller frees the
 * objects in both cases. */
int collect_end(struct collect *collect, uint64_t idle, struct objects *objects,
		struct strbuf *error);
void objects_free(struct objects *objects);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef SESSION_PENDING_H
#define SESSION_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/record.h"
#include "session/ringfile.h"

/*
 * Pending records: out of the rings, but not yet in a log, since they wait for the device or for an
 * earlier record of the same log. The records are in the ring file, so they survive a kill; the
 * lists are in other memory. Used only under the drain lock.
 *
 * An index identifies a pending record; 0 is none. A record is in at most one list of each kind:
 * the order of its log, and the running commands of its stream.
 */
enum {
	PENDING_MAX = 1 << 18,	      /* pending records */
	PENDING_ENDED_MOST = 1 << 16, /* of them, ended ones that wait for an earlier one */
	PENDING_CHUNK = (RINGFILE_SEGMENT - sizeof(struct segment)) / sizeof(struct record),
	PENDING_CHUNKS = PENDING_MAX / PENDING_CHUNK + 1,
	PENDING_STREAM_BITS = 10,
	PENDING_STREAMS =
		1 << PENDING_STREAM_BITS, /* lists of running commands, shared by streams */
};

enum pending_kind { PENDING_ORDER, PENDING_RUNNING, PENDING_KINDS };

struct pending_list {
	uint32_t first;
	uint32_t last;
	uint32_t recent; /* the newest one that was not added at the end; PENDING_ORDER only */
};

struct pending_link {
	uint32_t next;
	uint32_t previous;
};

/* A chunk: the places of one segment of the ring file, all of one size and one pool. */
struct pending_chunk {
	char *places;
	uint32_t stride; /* bytes of a place */
	uint32_t pool;   /* of the places */
};

/* The pools of places: one for plain records, one for records with values, whose places grow if the
 * program configures more counters, and one for events. */
struct pending_pool {
	uint32_t stride;
	uint32_t free; /* head of a chain through links[PENDING_ORDER].next */
	uint32_t next; /* index of the first unused place in the newest chunk */
	uint32_t end;  /* of that chunk */
};

enum { PENDING_PLAIN, PENDING_COUNTED, PENDING_EVENTS, PENDING_POOLS };

struct pending {
	struct pending_chunk chunks[PENDING_CHUNKS];
	uint32_t chunk_count;
	struct pending_pool pools[PENDING_POOLS];
	struct pending_link *links[PENDING_KINDS]; /* by index */
	struct pending_list running[PENDING_STREAMS];
	uint64_t busy[PENDING_STREAMS / 64]; /* one bit for each list that is not empty */
	uint32_t resume[PENDING_STREAMS]; /* where queries continue after the oldest ones */
	uint32_t used;	   /* records pending */
	uint32_t in_flight; /* of them, those without their device half */
};

int pending_init(struct pending *pending);
void pending_free(struct pending *pending); /* which no record is in */

/* Copies `record` with its values, and adds it to its stream's list if it has a handle. Returns its
 * index, or 0 if all places are taken (PENDING_MAX of plain records) or without memory. If plain
 * records have all possible places, the values are dropped. */
uint32_t pending_add(struct pending *pending, struct ringfile *ringfile,
		     const struct record *record);
/* As pending_add, for an event (model/event.h), which waits only for its files. The caller may read
 * only the frame of the place. */
uint32_t pending_add_event(struct pending *pending, struct ringfile *ringfile,
			   const struct frame *event);
void pending_remove(struct pending *pending, uint32_t index);
/* Calls `visit` for each place in use. */
void pending_each(struct pending *pending, void (*visit)(void *argument, struct frame *frame),
		  void *argument);
/* Removes a list of events, which is linked by PENDING_ORDER's next. */
void pending_remove_events(struct pending *pending, uint32_t first);

static inline struct record *pending_record(const struct pending *pending, uint32_t index)
{
	const struct pending_chunk *chunk = &pending->chunks[(index - 1) / PENDING_CHUNK];

	return (void *)(chunk->places + (uint64_t)((index - 1) % PENDING_CHUNK) * chunk->stride);
}

/* Returns true if `a` was launched before `b`. */
static inline bool launched_before(const struct record *a, const struct record *b)
{
	if (a->enter != b->enter)
		return a->enter < b->enter;
	return a->frame.correlation < b->frame.correlation;
}

/* Inserts a record into the order of its log; removes the first one. */
void pending_order(struct pending *pending, struct pending_list *order, uint32_t index);
uint32_t pending_order_pop(struct pending *pending, struct pending_list *order);

/* Removes the command from its stream's list: it has ended or is given up. */
void pending_stop_polling(struct pending *pending, uint32_t index);

/* Queries running commands by `poll`: the oldest of each stream and, in turn, some of the others.
 * Returns the number of ended ones. */
uint32_t pending_poll(struct pending *pending, int (*poll)(struct record *record));

#endif

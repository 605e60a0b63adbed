/* SPDX-License-Identifier: MIT */
#ifndef SESSION_JOIN_H
#define SESSION_JOIN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/record.h"
#include "session/spool.h"

/*
 * Pending records: out of the rings, but not yet in a log, since they wait for the device or for an
 * earlier record of the same log. They are in the ring file, so they survive a kill; their lists
 * are not. Used only under the drain lock.
 *
 * An index identifies a pending record; 0 is none. A record is in at most one list of each kind:
 * the order of its log, and the running commands of its stream.
 */
enum {
	JOIN_MAX = 1 << 18, /* pending records */
	JOIN_WAITING = 1 << 16, /* of them, ended ones that wait for an earlier one */
	JOIN_CHUNK = (SPOOL_SEGMENT - sizeof(struct segment)) / sizeof(struct record),
	JOIN_CHUNKS = JOIN_MAX / JOIN_CHUNK + 1,
	JOIN_STREAM_BITS = 10,
	JOIN_STREAMS = 1 << JOIN_STREAM_BITS, /* lists of running commands, shared by streams */
};

enum join_kind { JOIN_ORDER, JOIN_RUNNING, JOIN_KINDS };

struct join_list {
	uint32_t first;
	uint32_t last;
	uint32_t recent; /* the newest one that was not added at the end; JOIN_ORDER only */
};

struct join_link {
	uint32_t next;
	uint32_t previous;
};

/* Records are in places of one size, in chunks of one segment each. */
struct join_chunk {
	char *places;
	uint32_t stride; /* bytes of a place */
	uint32_t pool;   /* of the places */
};

/* The pools of places: one for plain records, one for records with values, whose places grow if the
 * program configures more counters, and one for events. */
struct join_pool {
	uint32_t stride;
	uint32_t free; /* head of a chain through links[JOIN_ORDER].next */
	uint32_t next; /* index of the first unused place in the newest chunk */
	uint32_t end;  /* of that chunk */
};

enum { JOIN_PLAIN, JOIN_COUNTED, JOIN_EVENTS, JOIN_POOLS };

struct join {
	struct join_chunk chunks[JOIN_CHUNKS];
	uint32_t chunk_count;
	struct join_pool pools[JOIN_POOLS];
	struct join_link *links[JOIN_KINDS]; /* by index */
	struct join_list running[JOIN_STREAMS];
	uint64_t busy[JOIN_STREAMS / 64]; /* one bit for each list that is not empty */
	uint32_t resume[JOIN_STREAMS]; /* where queries continue after the oldest ones */
	uint32_t used;	   /* records pending */
	uint32_t in_flight; /* of them, those without their device half */
};

int join_init(struct join *join);
void join_free(struct join *join); /* which no record is in */

/* Copies `record` with its values, and adds it to its stream's list if it has a handle. Returns its
 * index, or 0 if all places are taken (JOIN_MAX of plain records) or without memory. If plain
 * records have all possible places, the values are dropped. */
uint32_t join_add(struct join *join, struct spool *spool, const struct record *record);
/* The same for an event (model/event.h), which waits only for its file. Only the frame of its place
 * may be read. */
uint32_t join_add_event(struct join *join, struct spool *spool, const struct frame *event);
void join_remove(struct join *join, uint32_t index);

static inline struct record *join_record(const struct join *join, uint32_t index)
{
	const struct join_chunk *chunk = &join->chunks[(index - 1) / JOIN_CHUNK];

	return (void *)(chunk->places + (uint64_t)((index - 1) % JOIN_CHUNK) * chunk->stride);
}

/* Returns true if `a` was launched before `b`. */
static inline bool join_before(const struct record *a, const struct record *b)
{
	if (a->enter != b->enter)
		return a->enter < b->enter;
	return a->frame.correlation < b->frame.correlation;
}

/* Inserts a record into the order of its log; removes the first one. */
void join_order(struct join *join, struct join_list *order, uint32_t index);
uint32_t join_order_pop(struct join *join, struct join_list *order);

/* Removes the command from its stream's list: it has ended or is given up. */
void join_settled(struct join *join, uint32_t index);

/* Queries running commands by `poll`: the oldest of each stream and, in turn, some of the others.
 * Returns the number of ended ones. */
uint32_t join_poll(struct join *join, int (*poll)(struct record *record));

#endif

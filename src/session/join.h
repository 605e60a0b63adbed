/* SPDX-License-Identifier: MIT */
#ifndef SESSION_JOIN_H
#define SESSION_JOIN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/record.h"
#include "session/spool.h"

/*
 * The records that are out of the rings but not yet in a log: waiting for the device, or for an
 * earlier record of the same log. They lie in the spool, so that a kill does not lose them; the
 * lists they are in do not. Used under the drain lock only.
 *
 * An index names a pending record; 0 is none. A record is in at most one list of each kind: the
 * order of its log, and the commands of its stream that still run.
 */
enum {
	JOIN_MAX = 1 << 18, /* pending records */
	JOIN_WAITING = 1 << 16, /* of them, that are over and wait for an older one to come */
	JOIN_CHUNK = (SPOOL_SEGMENT - sizeof(struct segment)) / sizeof(struct record),
	JOIN_CHUNKS = JOIN_MAX / JOIN_CHUNK + 1,
	JOIN_STREAM_BITS = 10,
	JOIN_STREAMS = 1 << JOIN_STREAM_BITS, /* lists of running commands; streams share them */
};

enum join_kind { JOIN_ORDER, JOIN_RUNNING, JOIN_KINDS };

struct join_list {
	uint32_t first;
	uint32_t last;
	uint32_t recent; /* the newest that did not become the last one; of JOIN_ORDER only */
};

struct join_link {
	uint32_t next;
	uint32_t previous;
};

/* Records lie in places of one size, in chunks of one segment each. */
struct join_chunk {
	char *places;
	uint32_t stride; /* bytes of a place */
	uint32_t pool;   /* that the places belong to */
};

/* Where places come from: one pool for plain records, one for those that have values behind them,
 * whose places grow when the program asks for more counters, and one for events. */
struct join_pool {
	uint32_t stride;
	uint32_t free; /* first of a chain through links[JOIN_ORDER].next */
	uint32_t next; /* index of the first that has not been handed out, in the newest chunk */
	uint32_t end;  /* of that chunk */
};

enum { JOIN_PLAIN, JOIN_COUNTED, JOIN_EVENTS, JOIN_POOLS };

struct join {
	struct join_chunk chunks[JOIN_CHUNKS];
	uint32_t chunk_count;
	struct join_pool pools[JOIN_POOLS];
	struct join_link *links[JOIN_KINDS]; /* by index */
	struct join_list running[JOIN_STREAMS];
	uint64_t busy[JOIN_STREAMS / 64]; /* a bit for each of these that is not empty */
	uint32_t resume[JOIN_STREAMS]; /* where asking goes on beyond the oldest ones */
	uint32_t used;	   /* records pending */
	uint32_t in_flight; /* of them, with a device half to come */
};

int join_init(struct join *join);
void join_free(struct join *join); /* which no record is in */

/* Copies `record` in, with the values behind it, and into its stream's list if it has a handle. Its
 * index, or 0 when all places are taken (JOIN_MAX of plain records) or memory ran out. Where plain
 * records have all places that there can be, values are left behind. */
uint32_t join_add(struct join *join, struct spool *spool, const struct record *record);
/* The same of an event (model/event.h), which waits for nothing but its file; of its place, nothing
 * but the frame may be looked at. */
uint32_t join_add_event(struct join *join, struct spool *spool, const struct frame *event);
void join_remove(struct join *join, uint32_t index);

static inline struct record *join_record(const struct join *join, uint32_t index)
{
	const struct join_chunk *chunk = &join->chunks[(index - 1) / JOIN_CHUNK];

	return (void *)(chunk->places + (uint64_t)((index - 1) % JOIN_CHUNK) * chunk->stride);
}

/* Whether `a` was launched before `b`. */
static inline bool join_before(const struct record *a, const struct record *b)
{
	if (a->enter != b->enter)
		return a->enter < b->enter;
	return a->frame.correlation < b->frame.correlation;
}

/* Puts a record where it belongs in the order of its log; takes the first one out. */
void join_order(struct join *join, struct join_list *order, uint32_t index);
uint32_t join_order_pop(struct join *join, struct join_list *order);

/* The command is over or given up: it leaves its stream's list. */
void join_settled(struct join *join, uint32_t index);

/* Asks `poll` about running commands, the oldest of each stream and, in turn, some of the others;
 * how many are over. */
uint32_t join_poll(struct join *join, int (*poll)(struct record *record));

#endif

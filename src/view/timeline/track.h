/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_TRACK_H
#define VIEW_TIMELINE_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/catalog.h"

/*
 * The lines of a timeline. Each thread has one for its calls and one per other role (enum
 * track_role). Each queue (of a context and a device) has one for its commands. Overlapping events
 * get further lines (lane.h). Memory is bounded: TRACK_OWNERS threads and queues, TRACK_LANES
 * remembered lines, TRACK_DEPTH per owner. An event without room on these gets a line of its own.
 */
enum { TRACK_OWNERS = 1 << 16, TRACK_LANES = 1 << 16, TRACK_DEPTH = 64 };

enum track_role {
	TRACK_CALLS, /* of a thread, or the commands of a queue */
	TRACK_RANGES,
	TRACK_WAITS,
	TRACK_OVERHEAD,
	TRACK_MEMORY, /* in use, of a context or, without is_queue, of the process */
	TRACK_NONE,   /* no line */
};

struct track {
	uint32_t number; /* unique, from 1 */
	uint32_t owner;	 /* number of the thread or queue, from 0 in order of use */
	uint32_t lane;	 /* number within the owner, from 1 */
	bool is_queue;
	bool has_stream;
	bool is_new; /* used for the first time */
	enum track_role role;
	uint32_t domain; /* TRACK_RANGES: name of the domain, in the catalog, or 0 */
	uint32_t thread; /* kernel thread id, 0 if unknown; for the other roles, 0: the process */
	uint32_t device; /* of a queue: id in the catalog */
	uint32_t context;
	uint32_t stream; /* with has_stream */
	uint16_t memory; /* TRACK_MEMORY: enum memory_kind */
};

struct tracks;

struct tracks *tracks_new(void); /* Returns NULL without memory. */
void tracks_free(struct tracks *tracks);

/* Returns a line of the thread, or of the queue of `record`, that is free from `start` to `end`,
 * and marks it busy. */
struct track tracks_of_thread(struct tracks *tracks, uint32_t thread, uint64_t start, uint64_t end);
struct track tracks_of_queue(struct tracks *tracks, const struct record *record, uint64_t start,
			     uint64_t end);

/* As tracks_of_thread, for other events of threads or of the process: `wanted` has role, domain and
 * thread. Nested events share a line unless viewers could not show them correctly (lane_nest). */
struct track tracks_of_role(struct tracks *tracks, const struct track *wanted, uint64_t start,
			    uint64_t end);
struct track tracks_nested(struct tracks *tracks, const struct track *wanted, uint64_t start,
			   uint64_t end, bool is_open);

/* Appends the name: "context 1 queue 3 (2)". */
void track_name(const struct track *track, const struct catalog *catalog, struct strbuf *to);

/* Returns the sort key within its kind; lines of one owner are adjacent. */
uint32_t track_rank(const struct track *track);

#endif

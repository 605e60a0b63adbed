/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_TRACK_H
#define VIEW_TIMELINE_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "model/catalog.h"

/*
 * The lines of a timeline: of each thread one for its calls and for what else it has (enum
 * track_role), of each queue (of a context and a device) one for its commands, and further ones for
 * what overlaps there (lane.h). Memory is bounded: TRACK_OWNERS threads and queues, TRACK_LANES
 * lines that are remembered, TRACK_DEPTH of one owner. What finds no room on them gets a line of
 * its own that nothing else will be on.
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
	uint32_t number; /* from 1: no two lines have the same */
	uint32_t owner;	 /* of the lines of one thread or queue the same; from 0, in order of use */
	uint32_t lane;	 /* from 1, of those of the owner */
	bool is_queue;
	bool has_stream;
	bool is_new; /* never given before */
	enum track_role role;
	uint32_t domain; /* TRACK_RANGES: the name of theirs, in the catalog, or 0 */
	uint32_t thread; /* of a thread: the kernel's id, 0 if not known; of the other roles, 0 for
			    the process */
	uint32_t device; /* of a queue: ids in the catalog */
	uint32_t context;
	uint32_t stream; /* with has_stream */
	uint16_t memory; /* TRACK_MEMORY: enum memory_kind */
};

struct tracks;

struct tracks *tracks_new(void); /* NULL without memory */
void tracks_free(struct tracks *tracks);

/* The line of the thread, or of the queue that `record` ran on, that has room from `start` to
 * `end`; it is taken. */
struct track tracks_of_thread(struct tracks *tracks, uint32_t thread, uint64_t start, uint64_t end);
struct track tracks_of_queue(struct tracks *tracks, const struct record *record, uint64_t start,
			     uint64_t end);

/* The same for what threads or the process do besides calls: `wanted` has role, domain and thread.
 * Those that nest are on one line, but for what could not be told there (lane_nest). */
struct track tracks_of_role(struct tracks *tracks, const struct track *wanted, uint64_t start,
			    uint64_t end);
struct track tracks_nested(struct tracks *tracks, const struct track *wanted, uint64_t start,
			   uint64_t end, bool is_open);

/* Appends what it is called: "context 1 queue 3 (2)". */
void track_name(const struct track *track, const struct catalog *catalog, struct strbuf *to);

/* Where it stands among the others of its kind, lower first: those of one owner together. */
uint32_t track_rank(const struct track *track);

#endif

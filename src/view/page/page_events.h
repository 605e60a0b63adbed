/* SPDX-License-Identifier: MIT */
#ifndef VIEW_PAGE_PAGE_EVENTS_H
#define VIEW_PAGE_PAGE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/names.h"
#include "base/strbuf.h"

/*
 * The events of the page's timeline, by track, in bounded memory: beyond PAGE_EVENTS, neighbours
 * that together are shorter than `block` become one block. The length of a block doubles until the
 * events fit. Memory in use is a track of points, from each of which on it has a value: beyond
 * PAGE_POINTS, only the greatest and the last one within `point_block` stay.
 */
enum {
	PAGE_EVENTS = 800000, /* about 9 bytes each in the file */
	PAGE_TRACKS = 4096,   /* events on further tracks are left out */
	PAGE_NAMES = 20000,   /* events with further names, or after so many bytes of names, are */
	PAGE_NAME_BYTES = 4 << 20, /* "(other)" */
	PAGE_POINTS = 100000,
};

/* The order of the tracks on the page, and a heading above those that share one. */
struct page_place {
	uint32_t part;
	uint32_t group; /* of lines: queues, threads, others */
	uint32_t device;
	uint32_t rank;
	bool memory; /* a track of points */
};

struct page_track;

struct page_events {
	struct names *names; /* one letter for the kind, then the text */
	struct names_room room;
	struct strbuf tracks; /* of struct page_track *, in the order of their use */
	struct map by_number; /* of the part: numbers to tracks */
	size_t stored;
	uint64_t all;	   /* events that are drawn, singly or in blocks */
	uint64_t left_out; /* on tracks for which there is no place */
	uint64_t unnamed;  /* events with a name for which there is no place */
	uint64_t block;	   /* nanoseconds; 0: all events are single */
	uint64_t first;	   /* the earliest start or point */
	uint64_t points;   /* stored */
	uint64_t changes;  /* points that were added */
	uint64_t point_block; /* nanoseconds; 0: all points are stored */
	size_t point_limit;   /* PAGE_POINTS, or less in tests */
	size_t limit;	   /* PAGE_EVENTS, or less in tests */
	bool failed;	   /* out of memory */
};

/* Return 0, or -1 without memory. */
int page_events_open(struct page_events *events);
void page_events_close(struct page_events *events);

/* Track numbers of the next process are new ones. */
void page_events_next_part(struct page_events *events);

/* Adds a track with this number in its part, from 1. Both texts have no control characters. */
void page_events_add_track(struct page_events *events, uint32_t number,
			   const struct page_place *place, const struct strbuf *heading,
			   const struct strbuf *title);

/* Returns the number of the name of an event, without control characters, after a letter for its
 * kind. */
uint32_t page_events_name(struct page_events *events, const struct strbuf *name);

/* `track` is its number in the part. */
void page_events_add(struct page_events *events, uint32_t track, uint32_t name, uint64_t start,
		     uint64_t end);

/* Adds the bytes in use from `time` on to a track of points, not before its last point. */
void page_events_add_point(struct page_events *events, uint32_t track, uint64_t time,
			   uint64_t bytes);

/* After the last event: sorts the tracks, and the events of each. */
void page_events_end(struct page_events *events);

size_t page_events_tracks(const struct page_events *events);

/* Appends the element of a track, from 0, and of the names, as HTML. */
void page_events_put_track(const struct page_events *events, size_t track, struct strbuf *to);
void page_events_put_names(const struct page_events *events, struct strbuf *to);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_ROWCACHE_H
#define OUTPUT_ROWCACHE_H

#include "output/output.h"

/*
 * The texts of recent rows. Programs launch the same kernels and copies again and again, and such
 * rows differ only in their times: the rest of the text is copied from here. The cache does not
 * change any row. Rows with counters are not in it. A target is identified by its address: one
 * whose layout changes needs another cache.
 */
enum {
	ROWCACHE_SLOTS = 64,
	ROWCACHE_TIMES = 5,  /* most columns of a row that are times */
	ROWCACHE_TEXT = 448, /* longest text without the times */
	ROWCACHE_CHUNK = 32, /* bytes that are copied at a time */
	ROWCACHE_KEY = 11,   /* 64-bit words of a record from `bytes` to its end */
};

/* A time in a row: the offset of its text without the earlier times, and its column. */
struct rowcache_time {
	uint16_t at;
	uint16_t column; /* enum column_id */
};

struct rowcache_slot {
	const struct output_target *target; /* NULL: empty */
	uint32_t kind_and_flags; /* of the record's frame */
	uint16_t times;
	uint16_t length;	    /* of the text, 0: only the key is known */
	uint64_t key[ROWCACHE_KEY]; /* the record's members that are not times */
	struct rowcache_time time[ROWCACHE_TIMES];
	char text[ROWCACHE_TEXT + ROWCACHE_CHUNK];
};

struct rowcache {
	struct rowcache_slot slots[ROWCACHE_SLOTS];
};

/* The text of a row that is put into the cache: see rowcache_look. */
struct rowcache_entry {
	struct rowcache_slot *slot; /* NULL: the row is not put there */
	const char *row; /* start of its text */
	size_t times; /* bytes of the texts of its times so far */
};

/* Writes the row at `to`, which has room for any row, and returns its end. If the cache does not
 * have the row it returns NULL, and sets `entry` for rowcache_note and rowcache_keep. */
char *rowcache_look(struct rowcache *cache, const struct output_target *target,
		    const struct record *record, char *to, struct rowcache_entry *entry);

/* A time of this column was written from `from` to `end`. For an entry with a slot, as the next. */
void rowcache_note(struct rowcache_entry *entry, const struct column *column, const char *from,
		   const char *end);

/* The row is complete and ends at `end`. */
void rowcache_keep(const struct rowcache_entry *entry, const char *end);

#endif

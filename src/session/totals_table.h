/* SPDX-License-Identifier: MIT */
#ifndef SESSION_TOTALS_TABLE_H
#define SESSION_TOTALS_TABLE_H

#include <stdatomic.h>
#include <string.h>

#include "model/totals.h"
#include "session/ringfile.h"

/*
 * A table of running totals in the ring file (SEGMENT_TOTALS): the writer has one, and each thread
 * that calls recorded functions has one. A table grows by segments. Each has a header and an array
 * of places of segment.stride bytes. A place whose frame.size is 0 is free; rows are never
 * removed, and places are taken in order.
 *
 * A table has one writer at a time. It changes rows between totals_begin and totals_commit:
 *   - a reader of the live file sees an odd or another `sequence` of a row and tries again;
 *   - after a kill in between, the journal of the first segment has the rows as they were before,
 *     and the correlation of the record or event that was being added: it is in no row then.
 * FRAME_TOTALLED in a record or event of the ring file says that it is in the totals. It is set
 * between totals_begin and totals_commit, and does not count if the journal names its correlation.
 */
enum {
	TOTALS_CHANGES = 2, /* most rows that change for one record */
	TOTALS_SEGMENTS = 64, /* most segments of a table */
};

/* frame.flags of records and events in rings and pending places, never in other files */
enum { FRAME_TOTALLED = 1 << 15 };

struct totals_change {
	uint32_t row;	 /* its number in the table */
	uint32_t bucket; /* index of the bucket that changes, TOTALS_BUCKETS: none */
	uint32_t bucket_before;
	uint32_t reserved;
	struct totals_row before; /* without its buckets; or a struct totals_process */
};

struct totals_journal {
	uint32_t changes; /* number of valid members of `change`; 0 if totals_commit is complete */
	uint32_t busy;	  /* 1 from totals_begin to totals_commit */
	uint64_t correlation;
	struct totals_change change[TOTALS_CHANGES];
};

struct totals_segment {
	struct segment segment;
	uint32_t table; /* 0: the writer's; else 1 + the number of the thread's ring */
	uint32_t first; /* number of its first row in the table */
	uint64_t reserved;
	struct totals_journal journal; /* used in the segment with row 0 */
};

/* A table in the memory of the profiled process. A zeroed struct with the first three members set
 * is empty. */
struct totals_table {
	struct ringfile *ringfile;
	uint32_t number; /* as totals_segment.table */
	uint32_t stride; /* sizeof(struct totals_row) or sizeof(struct totals_buckets_row) */
	uint32_t count;	 /* of rows */
	uint32_t room;	 /* rows per segment; may be set first, otherwise 0 until there is one */
	uint32_t segment_count;
	struct totals_segment *segments[TOTALS_SEGMENTS];
	struct totals_row *changing[TOTALS_CHANGES]; /* those of the journal, in its order */
};

/* Appends a row with the members of `key` (frame.flags, frame.size and the key; shortest is set to
 * UINT64_MAX, the sums to 0) and returns its number; -1 if the table is full or there is no memory,
 * or fewer than `reserved` places would be left. frame.size is at most the stride. */
int64_t totals_table_add(struct totals_table *table, const struct totals_row *key,
			 uint32_t reserved);

/* Returns a row of the table, for reading. */
struct totals_row *totals_table_row(const struct totals_table *table, uint32_t row);

static inline struct totals_journal *totals_journal(const struct totals_table *table)
{
	return &table->segments[0]->journal;
}

/* Begins the changes for the record or event with this correlation (0: for none). The table has a
 * row. */
static inline void totals_begin(struct totals_table *table, uint64_t correlation)
{
	struct totals_journal *journal = totals_journal(table);

	journal->correlation = correlation;
	__atomic_store_n(&journal->busy, 1, __ATOMIC_RELEASE);
	atomic_signal_fence(memory_order_seq_cst);
}

/* The bytes at the start of a row that changes: all rows have the same zeros after them, and so has
 * the journal. Of the tables of threads, whose rows are functions and failures; of the writer's. */
enum {
	TOTALS_PART_OF_CALL = offsetof(struct totals_row, missing),
	TOTALS_PART = offsetof(struct totals_row, spare),
};

_Static_assert(TOTALS_PART >= offsetof(struct totals_process, spare),
	       "all members of the row of the process are in this part");

/* In pieces, since compilers generate "rep movs" for the whole, which starts slowly. */
static inline void totals_copy_part(struct totals_row *to, const struct totals_row *from,
				    size_t part)
{
	enum { FIRST = 64, SECOND = TOTALS_PART_OF_CALL, THIRD = (SECOND + TOTALS_PART) / 2 };
	const char *source = (const char *)from;
	char *target = (char *)to;

	memcpy(target, source, FIRST);
	memcpy(target + FIRST, source + FIRST, SECOND - FIRST);
	if (part == TOTALS_PART_OF_CALL)
		return;
	memcpy(target + SECOND, source + SECOND, THIRD - SECOND);
	memcpy(target + THIRD, source + THIRD, TOTALS_PART - THIRD);
}

/* Returns the row, whose members and whose bucket (TOTALS_BUCKETS: none) may be changed until
 * totals_commit; at most TOTALS_CHANGES rows. The second form is faster if the caller has the
 * address of the row, from totals_table_row; `part` is a constant of the table, see above. */
struct totals_row *totals_change(struct totals_table *table, uint32_t row, unsigned bucket);

static inline struct totals_row *totals_change_at(struct totals_table *table, uint32_t row,
						  struct totals_row *at, unsigned bucket,
						  size_t part)
{
	struct totals_journal *journal = totals_journal(table);
	struct totals_change *change = &journal->change[journal->changes];

	change->row = row;
	change->bucket = bucket;
	if (bucket < TOTALS_BUCKETS)
		change->bucket_before = ((struct totals_buckets_row *)(void *)at)->buckets[bucket];
	totals_copy_part(&change->before, at, part);
	table->changing[journal->changes] = at;
	__atomic_store_n(&journal->changes, journal->changes + 1, __ATOMIC_RELEASE);
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&at->sequence, at->sequence + 1, __ATOMIC_RELAXED);
	atomic_thread_fence(memory_order_release);
	return at;
}

/* Without this, a kill undoes the changes. */
static inline void totals_commit(struct totals_table *table)
{
	struct totals_journal *journal = totals_journal(table);

	for (uint32_t i = 0; i < journal->changes; i++) {
		struct totals_row *row = table->changing[i];

		__atomic_store_n(&row->sequence, row->sequence + 1, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&journal->busy, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&journal->changes, 0, __ATOMIC_RELEASE);
}

/* The code between totals_begin and totals_commit was abandoned in the middle: undoes its changes.
 * Returns false if it was not. */
bool totals_undo(struct totals_table *table);

#endif

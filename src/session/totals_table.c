/* SPDX-License-Identifier: MIT */
#include "session/totals_table.h"

#include <stdatomic.h>
#include <string.h>

enum { ROWS = 62 /* of a segment with buckets: RINGFILE_SEGMENT bytes */, PLAIN_ROWS = 29 };

static struct totals_journal *journal_of(const struct totals_table *table)
{
	return &table->segments[0]->journal;
}

/* Returns -1 without memory. */
static int grow(struct totals_table *table)
{
	uint32_t rows = table->stride > sizeof(struct totals_row) ? ROWS : PLAIN_ROWS;
	struct totals_segment *segment;

	if (table->segment_count == TOTALS_SEGMENTS)
		return -1;
	segment = (void *)ringfile_segment(table->ringfile, SEGMENT_TOTALS,
					   sizeof(*segment) + (uint64_t)rows * table->stride);
	if (!segment)
		return -1;
	segment->table = table->number;
	segment->first = table->count;
	table->room = rows;
	/* For readers, which need the other members. */
	__atomic_store_n(&segment->segment.stride, table->stride, __ATOMIC_RELEASE);
	table->segments[table->segment_count++] = segment;
	return 0;
}

struct totals_row *totals_table_row(const struct totals_table *table, uint32_t row)
{
	char *places = (char *)(table->segments[row / table->room] + 1);

	return (void *)(places + (uint64_t)(row % table->room) * table->stride);
}

int64_t totals_table_add(struct totals_table *table, const struct totals_row *key)
{
	struct totals_row *row;

	if ((!table->room || table->count == table->segment_count * table->room) && grow(table))
		return -1;
	row = totals_table_row(table, table->count);
	*row = (struct totals_row){
		.frame = {.kind = FRAME_TOTALS, .flags = key->frame.flags},
		.name = key->name,
		.device = key->device,
		.code = key->code,
		.record_kind = key->record_kind,
		.api = key->api,
		.source = key->source,
		.target = key->target,
	};
	/* At the place of `shortest` a process has another member. */
	if ((key->frame.flags & ~TOTALS_OTHER) != TOTALS_PROCESS)
		row->shortest = UINT64_MAX;
	__atomic_store_n(&row->frame.size, key->frame.size ? key->frame.size : table->stride,
			 __ATOMIC_RELEASE);
	return table->count++;
}

void totals_begin(struct totals_table *table, uint64_t correlation)
{
	struct totals_journal *journal = journal_of(table);

	journal->correlation = correlation;
	__atomic_store_n(&journal->busy, 1, __ATOMIC_RELEASE);
	atomic_signal_fence(memory_order_seq_cst);
}

struct totals_row *totals_change(struct totals_table *table, uint32_t row, unsigned bucket)
{
	struct totals_journal *journal = journal_of(table);
	struct totals_change *change = &journal->change[journal->changes];
	struct totals_row *at = totals_table_row(table, row);

	change->row = row;
	change->bucket = bucket;
	if (bucket < TOTALS_BUCKETS)
		change->bucket_before = ((struct totals_buckets_row *)(void *)at)->buckets[bucket];
	memcpy(&change->before, at, sizeof(*at));
	__atomic_store_n(&journal->changes, journal->changes + 1, __ATOMIC_RELEASE);
	__atomic_store_n(&at->sequence, at->sequence + 1, __ATOMIC_RELAXED);
	atomic_thread_fence(memory_order_release);
	return at;
}

void totals_end(struct totals_table *table)
{
	struct totals_journal *journal = journal_of(table);

	for (uint32_t i = 0; i < journal->changes; i++) {
		struct totals_row *row = totals_table_row(table, journal->change[i].row);

		__atomic_store_n(&row->sequence, row->sequence + 1, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&journal->busy, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&journal->changes, 0, __ATOMIC_RELEASE);
}

/* SPDX-License-Identifier: MIT */
#include "session/totals_table.h"

enum { ROWS = 62 /* of a segment with buckets: RINGFILE_SEGMENT bytes */, PLAIN_ROWS = 29 };

/* Returns -1 without memory. */
static int grow(struct totals_table *table)
{
	uint32_t rows = table->room;
	struct totals_segment *segment;

	if (table->segment_count == TOTALS_SEGMENTS)
		return -1;
	if (!rows)
		rows = table->stride > sizeof(struct totals_row) ? ROWS : PLAIN_ROWS;
	segment = (void *)ringfile_segment(table->ringfile, SEGMENT_TOTALS,
					   sizeof(*segment) + (uint64_t)rows * table->stride);
	if (!segment)
		return -1;
	segment->table = table->number;
	segment->first = table->segment_count * rows;
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

int64_t totals_table_add(struct totals_table *table, const struct totals_row *key,
			 uint32_t reserved)
{
	struct totals_row *row;

	if (table->count + reserved >= table->segment_count * table->room && grow(table))
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
	/* The row of a process has another member at the offset of `shortest`. */
	if ((key->frame.flags & ~TOTALS_OTHER) != TOTALS_PROCESS)
		row->shortest = UINT64_MAX;
	__atomic_store_n(&row->frame.size, key->frame.size, __ATOMIC_RELEASE);
	return table->count++;
}

/* Writes the contents of a row as they were. A reader sees an odd sequence meanwhile. */
static void undo_change(const struct totals_table *table, const struct totals_change *change)
{
	const size_t after = offsetof(struct totals_row, sequence) + sizeof(uint32_t);
	struct totals_row *row = totals_table_row(table, change->row);

	__atomic_store_n(&row->sequence, row->sequence | 1, __ATOMIC_RELAXED);
	atomic_thread_fence(memory_order_release);
	if (change->bucket < TOTALS_BUCKETS)
		((struct totals_buckets_row *)(void *)row)->buckets[change->bucket] =
			change->bucket_before;
	memcpy((char *)row + after, (const char *)&change->before + after, sizeof(*row) - after);
}

bool totals_undo(struct totals_table *table)
{
	struct totals_journal *journal = table->count ? totals_journal(table) : NULL;
	bool busy = journal && journal->busy;

	if (!journal)
		return false;
	if (busy)
		for (uint32_t i = 0; i < journal->changes; i++)
			undo_change(table, &journal->change[i]);
	else
		journal->changes = 0; /* they are complete */
	totals_commit(table);
	return busy;
}

struct totals_row *totals_change(struct totals_table *table, uint32_t row, unsigned bucket)
{
	return totals_change_at(table, row, totals_table_row(table, row), bucket, TOTALS_PART);
}

/* SPDX-License-Identifier: MIT */
#include "session/ringfile_keep.h"

#include "session/call_totals.h"
#include "session/manifest.h"

/* A thread may be filling a slot, and writing to a hole would need disk space: a full disk would
 * raise SIGBUS. So the pages of the next slot stay. */
static void empty_ring(struct thread_ring *ring)
{
	const uint64_t slot = sizeof(union event) > sizeof(struct record) ? sizeof(union event)
									  : sizeof(struct record);
	const struct ring *data = &ring->ring;
	uint64_t head = atomic_load(&data->head) - data->head_lap;
	uint64_t next = offsetof(struct thread_ring, ring.data) + head;

	/* At the end of the data it would start over, in the first page. */
	ringfile_make_hole(ring, RINGFILE_PAGE, next);
	ringfile_make_hole(ring, next + slot > RINGFILE_PAGE ? next + slot : RINGFILE_PAGE,
			   ring->segment.size);
}

/* The places of the writer's table after its last row. */
static void empty_table(const struct totals_table *table)
{
	struct totals_segment *segment;
	uint32_t rows;

	if (!table->segment_count)
		return;
	segment = table->segments[table->segment_count - 1];
	rows = table->count - (table->segment_count - 1) * table->room;
	ringfile_make_hole(segment, sizeof(*segment) + (uint64_t)rows * table->stride,
			   segment->segment.size);
}

static void give_back_memory(struct session *session)
{
	empty_table(&session->totals.table);
	for (uint32_t i = 0; i < atomic_load(&session->ring_count); i++)
		empty_ring(atomic_load(&session->rings[i]));
	for (uint32_t i = 0; i < session->pending.chunk_count; i++) {
		struct segment *segment = (void *)session->pending.chunks[i].places;

		segment--;
		ringfile_make_hole(segment, sizeof(*segment), segment->size);
	}
}

static bool has_totals(const struct session *session)
{
	bool totals = false;

	for (int api = 0; api < API_COUNT; api++)
		totals |= globals.settings[api] && globals.settings[api]->totals;
	return totals && session->ringfile.path[0] && !session->ringfile.header->totals_off;
}

bool ringfile_keep_is_wanted(const struct session *session)
{
	return has_totals(session) && manifest_is_read(session->ringfile.header->owner);
}

/* One that begins with the first range has no other records. */
static bool has_trace(void)
{
	bool trace = false;

	for (int api = 0; api < API_COUNT; api++)
		trace |= globals.settings[api] && globals.settings[api]->trace &&
			 !globals.settings[api]->trace_from_ranges;
	return trace;
}

void ringfile_keep_tell_unread(const struct session *session)
{
	const struct process *process = &globals.catalog.process;

	if (has_totals(session) && !has_trace() && session->totals.records)
		manifest_add_missing(process->pid, process->started, session->totals.records,
				     call_totals_count(session));
}

void ringfile_keep(struct session *session)
{
	give_back_memory(session);
	ringfile_finish(&session->ringfile);
}

/* SPDX-License-Identifier: MIT */
#ifndef MODEL_TOTALS_ROW_H
#define MODEL_TOTALS_ROW_H

#include "model/catalog.h"
#include "model/event.h"
#include "model/totals.h"

/* The keys of the rows of running totals, and adding to rows: in the profiled program and in
 * recovery. */

/* Returns the kind of a row (enum totals_kind, or another number in a damaged file). */
static inline unsigned totals_row_kind(const struct totals_row *row)
{
	return row->frame.flags & ~(unsigned)TOTALS_OTHER;
}

/* Set frame.flags, frame.size and the key of a row, and clear all other members. Rows of
 * activities, of copy sizes and, with `percentiles`, of functions have buckets. `device` may be
 * UINT32_MAX. */
void totals_row_of_record(struct totals_row *key, const struct record *record);
void totals_row_of_sizes(struct totals_row *key, uint32_t device);
void totals_row_of_function(struct totals_row *key, const struct call *call, bool percentiles);
void totals_row_of_failure(struct totals_row *key, const struct call *call);
void totals_row_of_device(struct totals_row *key, uint32_t device);
void totals_row_of_process(struct totals_row *key);
void totals_row_of_others(struct totals_row *key, enum totals_kind kind, unsigned api,
			  bool percentiles);

/* Return a number that identifies the key, never 0; not for rows of processes and of others. The
 * second is that of the record's row, the third that of the row of the call's function, without
 * making it. */
uint64_t totals_row_key(const struct totals_row *key);
uint64_t totals_row_record_key(const struct record *record);
uint64_t totals_row_call_key(const struct call *call);

/* Add to the sums of a row, without its buckets. `shift` is process.monotonic_to_epoch. */
void totals_row_add_record(struct totals_row *row, const struct record *record, int64_t shift);
void totals_row_add_call(struct totals_row *row, const struct call *call);

/* Adds 1 to a bucket, if it is below TOTALS_BUCKETS and the row has buckets. */
static inline void totals_row_add_bucket(struct totals_row *row, unsigned bucket)
{
	struct totals_buckets_row *wide = (void *)row;

	if (bucket < TOTALS_BUCKETS && totals_has_buckets(row) &&
	    wide->buckets[bucket] != UINT32_MAX)
		wide->buckets[bucket]++;
}

/* Returns true if the record is a copy whose size counts. */
static inline bool totals_row_has_size(const struct record *record)
{
	return record->frame.kind == FRAME_COPY && record->known & KNOWN_TIMES &&
	       record->known & KNOWN_BYTES;
}

/* Adds an event other than a call; except to in_use, peak, left and overhead, which depend on
 * earlier events. An event of a queue is in no total. */
void totals_row_add_event(struct totals_process *process, const struct frame *event);

/* Returns true if nothing was added to the row. */
bool totals_row_is_empty(const struct totals_row *row);

/* Returns true if the row is whole and consistent: its size is one of the two, its kind is known,
 * and its name and device are in the catalog. */
bool totals_row_is_valid(const struct catalog *catalog, const struct totals_row *row);

#endif

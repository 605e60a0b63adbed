/* SPDX-License-Identifier: MIT */
#ifndef SESSION_TOTALS_H
#define SESSION_TOTALS_H

#include "base/busy.h"
#include "base/map.h"
#include "model/catalog.h"
#include "session/memory_in_use.h"
#include "session/totals_table.h"
#include "settings/settings.h"

/*
 * The writer's running totals (model/totals.h): table 0 of the ring file. Every record is added
 * when it is written to its log and trace, every event when it is taken out of its ring. Used
 * under the drain lock. Allocates memory only for a new row; a table that is full counts the rest
 * in the rows of others.
 */
enum { TOTALS_CACHE = 32 };

struct totals_cached {
	uint64_t key; /* totals_row_key, 0: none */
	struct totals_row *at;
	uint32_t row; /* its number */
};

/* The times in which a device has work, and its row. */
struct totals_busy {
	struct busy busy;
	uint64_t added; /* number of intervals, */
	uint64_t published; /* and those in the row */
	int64_t row; /* -1: no row */
};

struct running_totals {
	struct totals_table table;
	bool off; /* the ring file cannot keep them */
	bool percentiles;
	uint32_t process; /* number of its row */
	uint32_t others[API_COUNT][TOTALS_FAILURE + 1]; /* by kind */
	struct totals_cached cache[TOTALS_CACHE];
	struct map rows; /* by totals_row_key: number of the row + 1 */
	uint64_t records; /* so far, */
	uint64_t unlisted; /* and keys in the rows of others */
	uint64_t published; /* the value of `records` in the row of the process */
	struct totals_busy *devices[CATALOG_DEVICES]; /* NULL: no record with times */
	uint32_t device_end; /* above the highest of them */
	struct totals_busy *only; /* the device with records with times, while there is one only */
	struct totals_busy all; /* of all devices, from the second device on */
	struct busy overhead;
	struct memory_in_use memory;
};

/* Makes the table with its first rows, for settings that request totals. */
void totals_start(struct running_totals *totals, struct ringfile *ringfile,
		  const struct settings *settings);

/* The same if there is none. Returns false if the ring file cannot keep them. */
static inline bool totals_are_ready(struct running_totals *totals, struct ringfile *ringfile,
				    const struct settings *settings)
{
	if (!totals->table.count && !totals->off)
		totals_start(totals, ringfile, settings);
	return !totals->off;
}

/* Adds a record, which is in its pending place, and sets FRAME_TOTALLED there. */
void totals_take_record(struct running_totals *totals, const struct catalog *catalog,
			struct record *record);

/* Adds an event and sets FRAME_TOTALLED in it and in its pending place (NULL: none). */
void totals_take_event(struct running_totals *totals, struct frame *event, struct frame *place);

/* Writes the times in which devices had work, and the number of records, to their rows. Called
 * before the places of records are freed. */
void totals_publish(struct running_totals *totals);

#endif

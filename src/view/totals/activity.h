/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_ACTIVITY_H
#define VIEW_TOTALS_ACTIVITY_H

#include "base/map.h"
#include "base/strbuf.h"
#include "model/amount.h"
#include "model/catalog.h"
#include "view/totals/histogram.h"

/*
 * The totals of the records of one kernel name, of copies between the same kinds of memory, or of
 * fills; or of the program's calls of one function. Memory grows with the activities, not with the
 * records. Sums saturate at the largest number.
 */
struct activity {
	struct record like; /* kind, source, target, name and device identify the activity; a flag
			       LABEL_OTHER (view/format/label.h): all those without a row */
	enum api api;
	uint32_t group; /* 0 without groups */
	uint64_t count; /* records with times; the sums are over these */
	uint64_t untimed;
	uint64_t failed; /* failed calls, which are also in `count` */
	uint64_t total;	 /* nanoseconds on the device; of calls, on the host */
	uint64_t shortest;
	uint64_t longest;
	uint64_t bytes; /* of the records with a known size */
	uint64_t sized; /* number of these records */
	double occupancy; /* sum of known values */
	uint64_t occupancies;
	struct histogram *times; /* if requested, else NULL */
};

struct activities {
	bool by_device;	  /* set these three first: separate by device, */
	bool by_group;	  /* by `group` of the added entry, below 2^31, */
	bool percentiles; /* and with `times` */
	uint32_t group;
	struct map map;
	struct strbuf list; /* of pointers */
	struct map likes;   /* with by_group: numbers of the activities within a group, from 1 */
	uintptr_t like_count;
};

/* Adds a record and returns its activity; NULL without memory. */
struct activity *activities_add(struct activities *activities, const struct catalog *catalog,
				const struct record *record);

/* As activities_add, for a call: `like` has kind FRAME_CALL and the function's name. */
struct activity *activities_add_call(struct activities *activities, const struct call *call);

/* Adds a row of TOTALS_ACTIVITY or TOTALS_FUNCTION. Returns -1 without memory. */
int activities_add_row(struct activities *activities, const struct catalog *catalog,
		       const struct totals_row *row);

/* Adds the totals of `sums` (without groups) to each of these groups; -1 without memory. */
int activities_add_sums(struct activities *activities, const struct activities *sums,
			const uint32_t *groups, size_t group_count);

/* Removes all activities and keeps the settings. */
void activities_clear(struct activities *activities);

/* Returns all of them, by group, longest total time first; `count` is set to their number. */
struct activity *const *activities_sorted(struct activities *activities, size_t *count);
void activities_free(struct activities *activities);

uint64_t activity_average(const struct activity *activity); /* rounded down, as nvprof does */

/* Returns false if they were not recorded: a row of running totals may have none. */
bool activity_has_percentiles(const struct activity *activity);

/* Returns a value between shortest and longest. */
uint64_t activity_percentile(const struct activity *activity, unsigned percent);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TOTALS_ACTIVITY_H
#define VIEW_TOTALS_ACTIVITY_H

#include "base/map.h"
#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/event.h"
#include "view/totals/histogram.h"

/*
 * What the records of one kernel's name, of copies between the same kinds of memory, or of fills,
 * add up to; or the program's calls of one function. Memory is taken for each of them, not for each
 * record. Sums that would not fit stay at the largest number there is.
 */
struct activity {
	struct record like; /* kind, source, target, name and device say which it is */
	enum api api;
	uint32_t group; /* 0 without groups */
	uint64_t count; /* records with times; the sums are of these */
	uint64_t untimed;
	uint64_t failed; /* calls; they count as others do */
	uint64_t total;	 /* nanoseconds on the device, of calls on the host */
	uint64_t shortest;
	uint64_t longest;
	uint64_t bytes; /* of the records whose size is known */
	uint64_t sized; /* number of these records */
	double occupancy; /* sum of those that are known */
	uint64_t occupancies;
	struct histogram *times; /* if they are asked for, else NULL */
};

struct activities {
	bool by_device;	  /* set these three first: each device by itself, */
	bool by_group;	  /* each group, which is `group` of what is added next, below 2^31, */
	bool percentiles; /* and with `times` */
	uint32_t group;
	struct map map;
	struct strbuf list; /* of pointers */
	struct map likes;   /* by_group: the numbers of what differs within a group, from 1 */
	uintptr_t like_count;
};

/* The activity of a record, with the record in it; NULL when memory ran out. */
struct activity *activities_add(struct activities *activities, const struct catalog *catalog,
				const struct record *record);

/* The same of a call: its function is a name that `like` has with kind FRAME_CALL. */
struct activity *activities_add_call(struct activities *activities, const struct call *call);

/* Adds what `sums` (without groups) add up to, to each of these groups; -1 when memory ran out. */
int activities_add_sums(struct activities *activities, const struct activities *sums,
			const uint32_t *groups, size_t group_count);

/* Begins anew with the same settings. */
void activities_clear(struct activities *activities);

/* All of them, group by group, those that took longest first. `count` is how many. */
struct activity *const *activities_sorted(struct activities *activities, size_t *count);
void activities_free(struct activities *activities);

/* Nanoseconds; 0 without times. A file may say that a command ended before it started. */
uint64_t activity_duration(const struct record *record);
uint64_t activity_call_duration(const struct call *call);
uint64_t activity_average(const struct activity *activity); /* rounded down, as nvprof does */

/* Within shortest and longest. */
uint64_t activity_percentile(const struct activity *activity, unsigned percent);

/* `sum` with `more`, or the largest number. */
static inline uint64_t activity_sum(uint64_t sum, uint64_t more)
{
	return sum + more < sum ? UINT64_MAX : sum + more;
}

#endif

/* SPDX-License-Identifier: MIT */
#ifndef MODEL_TOTALS_H
#define MODEL_TOTALS_H

#include "model/record.h"

/*
 * Running totals of a process: rows that are updated while the program runs. The rows have the same
 * format in the ring file (session/totals_table.h), in recovery and as frames of a trace
 * (FRAME_TOTALS). Rows with the same key are added by their reader; there may be several, since
 * each thread has its own rows of functions.
 *
 * The totals of a run are those of a trace of the same run, except percentiles (3 %) and the peak
 * of memory.
 */

/* frame.flags of a row: what it counts. Values are written to trace files: append only. */
enum totals_kind {
	TOTALS_ACTIVITY = 1, /* records of a kernel, of copies between two kinds of memory, or of
			      * fills, on one device; key: record_kind, name, source, target,
			      * device */
	TOTALS_COPY_SIZES = 2, /* sizes in bytes of the copies of one device; key: device. Only
			      * count and buckets */
	TOTALS_FUNCTION = 3, /* calls of a function; key: api, name */
	TOTALS_FAILURE = 4, /* failed calls by their error code; key: api, name, code */
	TOTALS_DEVICE = 5, /* times in which a device had work; key: device, UINT32_MAX for all
			    * devices together. Only total (ns with work), first, last, and count:
			    * the records with times so far */
	TOTALS_PROCESS = 6, /* struct totals_process; one row */
};

/* frame.flags of a row, in addition to its kind */
enum {
	TOTALS_OTHER = 1 << 8, /* everything of one API that has no row of its own, since the table
				* is full; the rest of its key is `api` alone */
};

enum totals_missing { /* the reasons why a record has no times */
	TOTALS_UNFINISHED,
	TOTALS_FAILED,
	TOTALS_BAD_TIMES,
	TOTALS_UNKNOWN,
	TOTALS_MISSING
};

/*
 * Sums are in ns and bytes, and saturate. Of an activity, `total` to `longest` and the buckets are
 * over the records with times; `count` is their number. A row of a function has buckets only if
 * percentiles were requested (frame.size).
 */
struct totals_row {
	struct frame frame;
	uint32_t sequence; /* odd while the row changes; only in a ring file */
	uint32_t name;     /* of the kernel or function, in the name table */
	uint32_t device;   /* id in the catalog */
	int32_t code;
	uint16_t record_kind; /* enum frame_kind */
	uint16_t api;	      /* enum api */
	uint8_t source;	      /* enum memory, copies only */
	uint8_t target;
	uint8_t reserved[2];
	uint64_t count;
	uint64_t total;
	uint64_t shortest;
	uint64_t longest;
	uint64_t first; /* start of the first and end of the last; calls: CLOCK_MONOTONIC ns, */
	uint64_t last;	/* records: ns since the epoch. 0 if count is 0 */
	uint64_t failed; /* calls that failed, also in `count` */
	uint64_t missing[TOTALS_MISSING]; /* records without times */
	uint64_t bytes; /* of the records of a known size, */
	uint64_t sized; /* and their number */
	double occupancy; /* sum of the known values, 0 to 1 each, */
	uint64_t occupancies; /* and their number */
	uint64_t pageable_time; /* of copies from or to pageable memory */
	uint64_t pageable_count;
	uint64_t waited_time; /* on the host, in calls that returned after their copy's end */
	uint64_t waited_count;
	uint64_t spare[7];
};

/* The totals of events other than calls. */
struct totals_process {
	struct frame frame;
	uint32_t sequence;
	uint32_t reserved;
	uint64_t marks; /* moments */
	uint64_t ranges; /* starts of ranges; their totals need a trace */
	uint64_t allocations;
	uint64_t allocated; /* bytes, of all of them */
	uint64_t in_use;    /* bytes now, of all devices and kinds of memory */
	uint64_t peak;	    /* the most bytes in use so far */
	uint64_t left;	    /* allocations that are not released */
	uint64_t waits;
	uint64_t waiting; /* ns of the host */
	uint64_t overheads; /* caused by the profiler */
	uint64_t overhead; /* ns with at least one of them */
	uint64_t records; /* of all activities, with and without times */
	uint64_t other; /* names and functions without a row of their own */
	uint64_t spare[15];
};

_Static_assert(sizeof(struct totals_row) == 256 && sizeof(struct totals_process) == 256,
	       "they are part of the trace format");

/* A histogram: 17 buckets for each power of two, of which the first and the last are half as wide
 * as the others. So the value that stands for a bucket differs by at most 1/34 (less than 3 %) from
 * any value in it; values below 34 are exact. The buckets follow the row: 32-bit counts, which
 * saturate. */
enum { TOTALS_BUCKETS = 960 };

struct totals_buckets_row {
	struct totals_row row;
	uint32_t buckets[TOTALS_BUCKETS];
};

/* Returns true if a row may have this size. */
static inline bool totals_is_size(uint64_t size)
{
	return size == sizeof(struct totals_row) || size == sizeof(struct totals_buckets_row);
}

static inline bool totals_has_buckets(const struct totals_row *row)
{
	return row->frame.size >= sizeof(struct totals_buckets_row);
}

static inline unsigned totals_bucket(uint64_t value)
{
	unsigned shift, first, bucket;

	if (value < 32)
		return (unsigned)value;
	shift = 58 - (unsigned)__builtin_clzll(value);
	first = (unsigned)(value >> shift); /* the first 6 bits: 32 to 63 */
	bucket = 17 * shift + (first + 33) / 2;
	return bucket < TOTALS_BUCKETS ? bucket : TOTALS_BUCKETS - 1;
}

/* Returns the value with the smallest relative error for a bucket: 2ab/(a + b) for a to b. */
static inline uint64_t totals_bucket_value(unsigned bucket)
{
	unsigned shift = (bucket - 32) / 17, part = (bucket - 32) % 17;
	uint64_t start = part ? 31 + 2 * part : 32, width = part % 16 ? 2 : 1;

	if (bucket < 32)
		return bucket;
	return (start << shift) + ((width * start) << shift) / (2 * start + width);
}

#endif

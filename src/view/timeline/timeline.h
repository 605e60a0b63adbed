/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_TIMELINE_H
#define VIEW_TIMELINE_TIMELINE_H

#include "base/map.h"
#include "view/format/sink.h"
#include "view/stream/ordered.h"
#include "view/stream/stream.h"
#include "view/timeline/track.h"
#include "view/totals/memory_usage.h"

/*
 * The common part of all views with an axis of time: from a stream of records and calls, in one
 * pass and in memory that does not depend on their number, the calls of the program's threads,
 * their commands in the queues, and the relation of both. A struct timeline_format writes the file.
 *
 * A call in the trace replaces the call data of its records. Calls are joined to their records, and
 * starts of ranges to their ends, at any distance (ordered.h). The memory in use is computed from
 * the allocations in the order of time (memory_usage.h).
 *
 * A stream of several parts has one process after the other, each with its own tracks. Processes of
 * one boot are aligned by CLOCK_MONOTONIC, others by the time since the epoch.
 *
 * Times are nanoseconds since the epoch. Events have no order, but those of one track never
 * overlap. Ranges on a thread's stack are nested, if the program nested them.
 */
enum timeline_kind {
	TIMELINE_CALL,	  /* of a thread: from entering to leaving the driver, from a record */
	TIMELINE_OWN,	  /* the same, from a struct call of the trace */
	TIMELINE_COMMAND, /* of a queue: from start to end on the device */
	TIMELINE_MARK,	  /* of a queue, at one time: neither call nor device times are known */
	TIMELINE_RANGE,	  /* struct mark: a range of the program */
	TIMELINE_MOMENT,  /* struct mark: a moment */
	TIMELINE_SPAN,	  /* any other event with a duration (view/timeline/eventrow.h) */
};

struct timeline_event {
	enum timeline_kind kind;
	struct track track;
	uint64_t start;
	uint64_t end;
	/* A call and each of its commands have a common flow. The other one may be missing. Several
	 * calls may have the flow of one command, which is an error in the file. */
	const uint64_t *flows;
	uint32_t flow_count;
	const struct record *record; /* NULL: TIMELINE_OWN, and from TIMELINE_RANGE on */
	const struct call *call;     /* TIMELINE_OWN, otherwise NULL */
	const struct frame *other;   /* from TIMELINE_RANGE on, otherwise NULL */
	bool unfinished;	     /* TIMELINE_RANGE: its end is not known */
	const struct names *names;   /* of the catalog */
	bool has_times;		     /* the record's command is shown */
	const char *command; /* as in the log's column "method"; of TIMELINE_OWN the function, of
				marks their text; not escaped */
	size_t command_length;
};

/* The start or end of an arrow. */
struct timeline_end {
	struct track track;
	uint64_t time;
};

struct timeline {
	const struct timeline_format *format;
	struct stream *stream; /* for messages */
	const struct catalog *catalog;
	struct process process; /* at the first record */
	struct process first;	/* of the first part; without its command */
	const struct stream_rank *rank; /* of the part; NULL: it is none */
	int64_t first_epoch;		/* with ranks: that of the first part */
	bool has_parts;		/* more than one */
	size_t part;		/* of the stream, from 0 */
	uint64_t offset;	/* of times to the first one's CLOCK_MONOTONIC; subtracted */
	struct map pids;	/* of the parts so far: not NULL */
	bool is_repeated;	/* another part has the same pid: it executed this one */
	uint32_t devices;	/* of the parts before */
	uint64_t lost, lost_events; /* of the ended parts */
	bool cut_off;		    /* any of them */
	struct tracks *tracks;
	struct sink sink;
	void *own;		/* for the format: of the part, */
	void *shared;		/* and of the file */
	bool *has_device;	/* of CATALOG_DEVICES: whether it has been shown */
	struct ordered *calls;	/* with their records */
	uint64_t *flows;	/* space for those of one call */
	struct ordered *ranges; /* starts with their ends; NULL: no range so far */
	struct memory_usage *usage; /* NULL: no allocation so far */
	uint64_t last;		/* latest time in the file, CLOCK_MONOTONIC ns */
	uint64_t credit;	/* number of further flows that calls may have */
};

/* Each appends to timeline->sink.text, `begin` and `end` once for each part, in this order. */
struct timeline_format {
	bool gzipped;
	size_t own_size; /* of timeline->own, which is zeroed for each part */
	void (*begin)(struct timeline *timeline);
	/* After begin, each frame of the part, and NULL after the last one. Returns 0, or -1 with
	 * one sentence in `error`. NULL: nothing. */
	int (*frame)(struct timeline *timeline, const struct frame *frame, struct strbuf *error);
	/* Before the first event of a queue of this device. */
	void (*device)(struct timeline *timeline, const struct device *device);
	/* Before the first event of a track. */
	void (*track)(struct timeline *timeline, const struct track *track);
	void (*event)(struct timeline *timeline, const struct timeline_event *event);
	/* From `time` on the track, of role TRACK_MEMORY, has this value in bytes. */
	void (*counter)(struct timeline *timeline, const struct track *track, uint64_t time,
			uint64_t bytes);
	/* A sample of the CPU. NULL: they are not shown. */
	void (*sample)(struct timeline *timeline, const struct sample *sample);
	/* Draws an arrow; called after the events at both ends. NULL: the format draws arrows from
	 * the flows of the events. */
	void (*arrow)(struct timeline *timeline, const struct timeline_end *from,
		      const struct timeline_end *to, uint64_t flow);
	void (*end)(struct timeline *timeline, const struct stream *stream);
	void (*close)(struct timeline *timeline); /* after all parts; NULL: nothing */
	void (*free)(struct timeline *timeline); /* frees the contents of `own`; NULL: nothing */
};

/* Writes the file `path`, which exists and is empty. Returns 0, or -1 with one sentence in
 * `error`. */
int timeline_write(const struct timeline_format *format, const char *path, struct stream *stream,
		   struct strbuf *error);

/* The same; `shared` becomes timeline->shared. `path` may be NULL if the format appends nothing: it
 * writes a file itself. */
int timeline_write_shared(const struct timeline_format *format, void *shared, const char *path,
			  struct stream *stream, struct strbuf *error);

/* Returns the text of an instant at the end of an incomplete stream; NULL if it is complete. */
const char *timeline_incomplete(const struct stream *stream);

/* Start of the process, in nanoseconds since the epoch. */
uint64_t timeline_zero(const struct timeline *timeline);

/* Converts a time to the first process's CLOCK_MONOTONIC. */
uint64_t timeline_moment(const struct timeline *timeline, uint64_t time);

/* Returns a number that no other process in the file has. */
uint32_t timeline_key(const struct timeline *timeline);

/* Returns true if the event has no duration. */
bool timeline_is_instant(const struct timeline_event *event);

/* Returns the category: "call", "kernel", "copy", "fill", "range", or the label of a kind of
 * event. */
const char *timeline_category(const struct timeline_event *event);

/* Returns the category with this number from 0, NULL after the last one. */
const char *timeline_category_at(size_t number);

/* Returns the purpose of the call, if known: "launch", "copy", "fill"; of other events, the
 * command. */
const char *timeline_name(const struct timeline_event *event, size_t *length);

/* Appends the name of the process, its command line, or a device. */
void timeline_name_process(const struct timeline *timeline, struct strbuf *to);
void timeline_name_device(const struct device *device, struct strbuf *to);

#endif

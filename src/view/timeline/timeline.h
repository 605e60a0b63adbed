/* SPDX-License-Identifier: MIT */
#ifndef VIEW_TIMELINE_TIMELINE_H
#define VIEW_TIMELINE_TIMELINE_H

#include "base/map.h"
#include "view/format/sink.h"
#include "view/stream/ordered.h"
#include "view/stream/recent_map.h"
#include "view/stream/stream.h"
#include "view/timeline/track.h"
#include "view/totals/memory_usage.h"

/*
 * What every view that has time on its axis shows of a stream of records and calls, in one pass and
 * in memory that does not depend on their number: the calls that threads of the program made, the
 * commands that these made queues run, and which call is whose. What it looks like in a file is for
 * a struct timeline_format to say.
 *
 * A call that the trace has itself takes the place of what its records tell of it. Records whose
 * call did not come so far wait for it, TIMELINE_WAITING at most; calls have the same for their
 * records, TIMELINE_PROMISED.
 *
 * Both ends of a range are joined however far apart they are (ordered.h), and memory in use is
 * shown of the allocations in the order of time (memory_usage.h).
 *
 * A stream of several parts is one process after the other, each with tracks of its own. Processes
 * of one boot have one CLOCK_MONOTONIC, by which they stand to each other; others do so by the time
 * since the epoch.
 *
 * Times are nanoseconds since the epoch. Events come in no order, but those of one track never
 * overlap; ranges on a thread's stack are inside each other, if the program had them so.
 */
enum { TIMELINE_WAITING = 1 << 16, TIMELINE_PROMISED = 1 << 18 };

enum timeline_kind {
	TIMELINE_CALL,	  /* of a thread: from entering to leaving the driver, as a record tells */
	TIMELINE_OWN,	  /* the same, as the trace's own struct call tells */
	TIMELINE_COMMAND, /* of a queue: from beginning to end on the device */
	TIMELINE_MARK,	  /* of a queue, at one moment: neither call nor device times are known */
	TIMELINE_RANGE,	  /* struct mark: what the program says that it does */
	TIMELINE_MOMENT,  /* the same, at one moment */
	TIMELINE_SPAN,	  /* any other event that takes time (view/timeline/eventrow.h) */
};

struct timeline_event {
	enum timeline_kind kind;
	struct track track;
	uint64_t start;
	uint64_t end;
	/* A call and each command that it made have one that is the same. Where the other one has
	 * not come yet, it may never come. */
	const uint64_t *flows;
	uint32_t flow_count;
	const struct record *record; /* NULL: TIMELINE_OWN, and from TIMELINE_RANGE on */
	const struct call *call;     /* TIMELINE_OWN, else NULL */
	const struct frame *other;   /* from TIMELINE_RANGE on, else NULL */
	bool unfinished;	     /* TIMELINE_RANGE: its end is not known */
	const struct names *names;   /* of the catalog */
	bool has_times;		     /* the record's command is shown */
	const char *command; /* what it is called in the log's column "method", of TIMELINE_OWN the
				function, of marks their text; not escaped */
	size_t command_length;
};

/* Where an arrow begins or ends. */
struct timeline_end {
	struct track track;
	uint64_t time;
};

struct timeline {
	const struct timeline_format *format;
	const struct catalog *catalog;
	struct process process; /* as the first record found it */
	struct process first;	/* of the first part; without its command */
	bool has_parts;		/* more than one */
	size_t part;		/* of the stream, from 0 */
	uint64_t offset;	/* times less this are those of the first one's CLOCK_MONOTONIC */
	struct map pids;	/* of the parts so far: not NULL */
	bool is_repeated;	/* another part has the same pid: it executed this one */
	uint32_t devices;	/* of the parts before */
	uint64_t lost, lost_events; /* of those that are over */
	bool cut_off;		    /* any of them */
	struct tracks *tracks;
	struct sink sink;
	void *own;		/* the format's */
	bool *has_device;	/* of CATALOG_DEVICES: whether it has been shown */
	bool has_calls;		/* one of the trace's own came so far */
	struct recent_map promised; /* records that calls say that they made */
	struct recent_map waiting;	/* records without a call so far */
	uint64_t *flows;	/* room for those of one call */
	struct ordered *ranges; /* starts with their ends; NULL: none came */
	struct memory_usage *inuse; /* NULL: no allocation came */
	uint64_t last;		/* moment that anything was said of, CLOCK_MONOTONIC ns */
	uint64_t credit;	/* so many more records calls may speak of */
};

/* Each appends to timeline->sink.text, `begin` and `end` once for each part, in this order. */
struct timeline_format {
	bool gzipped;
	size_t own_size; /* of timeline->own, which is zeroed for each part */
	void (*begin)(struct timeline *timeline);
	/* Before the first event of a queue of this device. */
	void (*device)(struct timeline *timeline, const struct device *device);
	/* Before the first event of a track. */
	void (*track)(struct timeline *timeline, const struct track *track);
	void (*event)(struct timeline *timeline, const struct timeline_event *event);
	/* From `time` on the track, of role TRACK_MEMORY, has this value, of bytes. */
	void (*counter)(struct timeline *timeline, const struct track *track, uint64_t time,
			uint64_t bytes);
	/* After the events of both ends. NULL: the events' flows are all it needs. */
	void (*arrow)(struct timeline *timeline, const struct timeline_end *from,
		      const struct timeline_end *to, uint64_t flow);
	void (*end)(struct timeline *timeline, const struct stream *stream);
	void (*close)(struct timeline *timeline); /* behind all parts; NULL: nothing */
	void (*free)(struct timeline *timeline); /* what `own` holds; NULL: nothing */
};

/* Writes the file `path`, which is there and empty. 0, or -1 with one sentence in `error`. */
int timeline_write(const struct timeline_format *format, const char *path, struct stream *stream,
		   struct strbuf *error);

/* What an instant at the end says of the stream, which lacks something; NULL if it does not. */
const char *timeline_incomplete(const struct stream *stream);

/* Nanoseconds since the epoch at which the process was started. */
uint64_t timeline_zero(const struct timeline *timeline);

/* A time as one of the first process's CLOCK_MONOTONIC. */
uint64_t timeline_moment(const struct timeline *timeline, uint64_t time);

/* A number that no other process in the file has. */
uint32_t timeline_key(const struct timeline *timeline);

/* Whether it has no length. */
bool timeline_is_instant(const struct timeline_event *event);

/* What kind of thing it is: "call", "kernel", "copy", "fill", "range", or the label of a kind of
 * event. */
const char *timeline_category(const struct timeline_event *event);

/* Each of them once: the one of this number from 0, NULL behind the last one. */
const char *timeline_category_at(size_t number);

/* What the call did, as far as that is known: "launch", "copy", "fill"; of others, the command. */
const char *timeline_name(const struct timeline_event *event, size_t *length);

/* Appends what the process is called, its command line, or a device. */
void timeline_name_process(const struct timeline *timeline, struct strbuf *to);
void timeline_name_device(const struct device *device, struct strbuf *to);

/* Appends a name with what could harm written as \xNN, as in a log's header (output/escape.h): the
 * rest is UTF-8 without control characters and line separators. */
void timeline_escape(struct strbuf *to, const char *name, size_t length);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef MODEL_FRAMES_H
#define MODEL_FRAMES_H

#include "base/strbuf.h"
#include "model/catalog.h"
#include "model/event.h"
#include "model/layout.h"

/*
 * The frames of the catalog. They are written before their first use, and reading them in order
 * rebuilds the catalog. Texts are at the end of their frame without a NUL, padded with zeros to a
 * multiple of 8 bytes.
 */
struct process_frame {
	struct frame frame;
	uint32_t pid;
	uint32_t command_length;
	uint64_t started;
	int64_t monotonic_to_epoch;
	uint8_t boot[16];
	uint32_t rank; /* in a job, plus 1; 0: none */
	uint32_t parts; /* number of struct process_part after the command */
	char command[]; /* the arguments, with a NUL between two */
};

struct name_frame {
	struct frame frame;
	uint32_t id;
	uint32_t length;
	char text[];
};

struct device_frame {
	struct frame frame;
	uint32_t id;
	uint32_t api;
	uint32_t number;
	uint32_t multiprocessors;
	uint32_t compute_major;
	uint32_t compute_minor;
	uint32_t length;
	char name[];
};

struct context_frame {
	struct frame frame;
	uint32_t id;
	uint32_t api;
	uint32_t index;
	uint32_t device;
};

struct counters_frame {
	struct frame frame;
	uint32_t id;
	uint32_t device;
	uint32_t count;
	uint32_t columns_length;
	uint32_t refused_length;
	uint32_t reserved;
	char text[]; /* of each column n (whole numbers) or r, its name and a newline; then the
			names of the refused ones, each with a newline */
};

/* The losses of the trace since the previous frame of this kind. */
struct lost_frame {
	struct frame frame;
	uint64_t count;	  /* records and events that the program dropped */
	uint64_t missing; /* records and events that were not dropped but could not be written to
			   * the trace */
	uint64_t events;  /* those of `missing` that are events */
	uint64_t gaps;    /* kernels that [filter] excluded, and times at which recording began
			   * again */
};

/*
 * The size of a log that is committed: the newer of two slots, so that a kill while one is being
 * written leaves the other. All rows up to the key are in the first `size` bytes of the file.
 */
struct log_commit {
	uint64_t sequence; /* the slot with the higher number is valid */
	uint64_t size;     /* bytes of whole rows */
	uint64_t enter;    /* key of the last row: record.enter, */
	uint64_t correlation; /* then frame.correlation */
	uint64_t rows;        /* in those bytes */
	uint64_t tail_hash;   /* frames_hash of the last `tail` of those bytes */
	uint32_t tail;	      /* at most LOG_TAIL. Headers of two runs may be equal, rows not */
	uint32_t reserved;
	uint64_t lost; /* value of the ring file's lost_logs, of an API log lost_calls, that has the
			* rows which are marked for this commit, but not in those bytes; 0: none */
};

/* Number of records and events that could not be written to the trace; two slots as log_commit. */
struct trace_commit {
	uint64_t sequence;    /* the slot with the higher number is valid */
	uint64_t correlation; /* of the last one that was counted */
	uint64_t missing;     /* as in struct lost_frame */
	uint64_t missing_events;
};

enum { LOG_TAIL = 256 }; /* the largest log_commit.tail */

/* frame.flags of a log_frame */
enum log_flag {
	LOG_RECOVERED = 1 << 0, /* created by recovery: its rows are in the order of their keys */
	LOG_API = 1 << 1, /* an API log: `columns`, `device` and `context` are 0 */
};

/*
 * The value of `batch` in pending records whose rows belong to the commit of that number. Their
 * keys do not distinguish them from unwritten ones, since rows may be written out of order. A byte
 * is enough, since only the places of the last and the next commit are marked.
 */
static inline uint8_t log_batch(uint64_t sequence)
{
	return (uint8_t)(1 + sequence % 255);
}

/* Pending calls have log_batch in the low byte of frame.flags, which is 0 in traces. */
enum { CALL_BATCH = 0xff };

/* Returns the log_batch of a pending record or call, 0 if it has none. */
static inline uint8_t log_batch_of(const struct record *slot)
{
	return slot->frame.kind == FRAME_CALL ? (uint8_t)(slot->frame.flags & CALL_BATCH)
					      : slot->batch;
}

struct log_frame {
	struct frame frame;
	uint32_t api;
	uint32_t dialect;
	uint32_t format;
	uint32_t columns;
	uint32_t device;
	uint32_t context;
	uint32_t path_length;
	uint32_t counters;  /* 1 + id of the counter set whose columns it has, 0 if none */
	uint64_t file_device; /* st_dev and st_ino of the log, 0 if unknown */
	uint64_t file_inode;
	uint64_t head_size; /* size of warnings, header and column line, 0 until they are written */
	uint64_t head_hash; /* frames_hash of those bytes, to identify the file */
	uint64_t first_size;  /* bytes in `first`, 0: no row was written */
	char first[LOG_TAIL]; /* start of the first rows: identifies them until the first commit */
	struct log_commit commit[2];
	char path[];
};

/* The last frame of a trace: its process has written everything to it. A trace without one was cut
 * off, or is still being written. */
struct end_frame {
	struct frame frame;
	uint64_t frames; /* number of the frames before it in the file, of all kinds */
	uint64_t ended;	 /* CLOCK_MONOTONIC ns when the process wrote it; 0 if unknown, */
	int64_t monotonic_to_epoch; /* and as in process_frame at that moment */
};

/* frame.flags of a rules_frame */
enum rules_flag {
	RULES_TOTALS = 1 << 0, /* the API's records and events are in the running totals */
	RULES_TRACE_FROM_RANGES = 1 << 1, /* the trace begins at the first range */
	RULES_API_LOG = 1 << 2, /* the pattern is that of the API log, in a frame of its own */
};

/* The settings for the logs of one API, for recovery. File name patterns are absolute, with %d and
 * %p. */
struct rules_frame {
	struct frame frame;
	uint32_t api;
	uint32_t dialect;
	uint32_t format;
	uint32_t columns;
	uint64_t record_limit;
	uint64_t byte_limit;
	uint32_t forked;
	uint32_t log_length;
	uint32_t trace_length; /* 0: no trace */
	uint32_t warnings_length;
	char text[]; /* the log's pattern, the trace's pattern, the warnings */
};

struct trace_frame {
	struct frame frame;
	uint64_t file_device; /* st_dev and st_ino of the trace, 0 if unknown */
	uint64_t file_inode;
	uint64_t length;
	char path[];
};

/* frame.flags of a stack_frame */
enum stack_flag {
	STACK_EXACT = 1 << 0, /* the thread was at this instruction; else it returns to it */
};

/* A node of the call stacks: a frame and those of its callers. Like names, nodes are written once,
 * before the first frame that refers to them. */
struct stack_frame {
	struct frame frame;
	uint32_t id;     /* from 1; frame.stack of others names it */
	uint32_t parent; /* id of the caller's node, 0 at the outermost */
	uint32_t module; /* id of its MODULE frame, 0 if it is not known */
	uint32_t name;   /* of a function of an interpreted program, in the name table, else 0 */
	/*
	 * With `module`: virtual address in its ELF file (address in memory less the load bias).
	 * With `name`: the line in the lower half, the id of the file's name in the upper half.
	 * Without both: the address in memory.
	 */
	uint64_t offset;
};

/* An ELF file of STACK frames. */
struct module_frame {
	struct frame frame;
	uint32_t id; /* from 1 */
	uint32_t length;
	uint32_t build_id_length; /* bytes, 0 without a build id */
	uint32_t reserved;
	uint8_t build_id[BUILD_ID_SIZE];
	char path[]; /* as the dynamic loader has it; [vdso] for the kernel's */
};

/* Each appends one frame. */
void frames_put_process(struct strbuf *to, const struct process *process);
void frames_put_name(struct strbuf *to, const struct names *names, uint32_t id);
void frames_put_device(struct strbuf *to, const struct device *device);
void frames_put_context(struct strbuf *to, const struct context *context);
void frames_put_counters(struct strbuf *to, const struct counter_set *set);
/* With the members of struct lost_frame. Returns the frame, valid until `to` changes, or NULL
 * without memory; `gaps` is 0. */
struct lost_frame *frames_put_lost(struct strbuf *to, uint64_t count, uint64_t missing,
				   uint64_t events);
/* Returns the frame with unknown times as frames_put_lost does. */
struct end_frame *frames_put_end(struct strbuf *to, uint64_t frames);
/* The module or node has this id, from 1. */
void frames_put_module(struct strbuf *to, const struct stacks *stacks, uint32_t id);
void frames_put_stack(struct strbuf *to, const struct stacks *stacks, uint32_t id);
/* `counters` may be NULL; `device` and `context` are NULL for an API log. */
void frames_put_log(struct strbuf *to, const struct layout *layout, const struct device *device,
		    const struct context *context, const struct counter_set *counters,
		    const char *path);
void frames_put_trace(struct strbuf *to, const char *path);
/* The lengths of the texts, and all of the frame but its flags, are set here. */
void frames_put_rules(struct strbuf *to, const struct rules_frame *rules, const char *log,
		      const char *trace, const char *warnings);

/* Adds a process, name, device, context, counters, module or stack frame to the catalog; other
 * kinds are ignored. Returns -1 if the frame contradicts itself or the catalog. */
int frames_apply(struct catalog *catalog, const struct frame *frame);

/* Returns true if the frame is valid: its size is at most `remaining`, and a record or a row of
 * totals has the size and the ids of one. The stack of a record or an event is in the catalog. */
bool frames_valid(const struct catalog *catalog, const struct frame *frame, uint64_t remaining);

/* Returns the size of an event without trailing data, or the least size of a frame of this kind. */
uint32_t frames_fixed_size(enum frame_kind kind);

static inline bool frames_is_record(const struct frame *frame)
{
	return frame->kind >= FRAME_KERNEL && frame->kind <= FRAME_FILL;
}

/* Returns true for a call or another event of model/event.h. */
static inline bool frames_is_event(const struct frame *frame)
{
	switch (frame->kind) {
#define EVENT(kind, ...) case FRAME_##kind:
#include "model/events.def"
#undef EVENT
		return true;
	default:
		return false;
	}
}

/* Returns true if the event has an end; other events have another member in place of the end. */
static inline bool frames_is_timed_event(const struct frame *frame)
{
	enum { TIMED = true, MOMENT = false };

	switch (frame->kind) {
#define EVENT(kind, member, size, time, ...)                                                       \
	case FRAME_##kind:                                                                         \
		return time;
#include "model/events.def"
#undef EVENT
	default:
		return false;
	}
}

/* Returns true for a record or an event: rings have only these, and only these count as lost. */
static inline bool frames_is_slot(const struct frame *frame)
{
	return frames_is_record(frame) || frames_is_event(frame);
}

uint64_t frames_hash(const char *bytes, size_t length);

#endif

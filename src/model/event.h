/* SPDX-License-Identifier: MIT */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include "model/record.h"

/*
 * What there is to tell besides records, for the trace alone and only where it was asked for
 * (COMPUTE_PROFILE_API). Every event begins as a record does, has `api` at the same place, and is
 * in rings and ring files as it is in the trace; nothing in it waits for the device.
 */

/* One call of the program, of whatever function of an API. */
struct call {
	struct frame frame;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t made;  /* correlation of the first record that it made, 0 if none */
	int32_t result; /* its error code, 0 if it went well; INT32_MIN: it failed and gave none */
	uint32_t name;  /* of the function, in the name table */
	uint16_t api;   /* enum api */
	uint16_t records; /* so many it made, their correlations one after the other */
	uint32_t number; /* CUPTI's number of the function, 0 where it has none */
};

/* frame.flags of a mark: what it is */
enum mark_flag {
	MARK_START = 1 << 0, /* of a range; without START and END it is a moment */
	MARK_END = 1 << 1,
	MARK_PUSHED = 1 << 2, /* START and END: the range is on its thread's stack */
	MARK_COLORED = 1 << 3,
};

/* What `payload` of a mark is, as NVTX numbers it. */
enum mark_payload {
	PAYLOAD_NONE = 0,
	PAYLOAD_UNSIGNED = 1, /* 64 bits */
	PAYLOAD_SIGNED = 2,
	PAYLOAD_DOUBLE = 3,
};

/* What the program says of itself: a moment, or one end of a range. The two ends of a range have
 * the same id, which is the correlation of its start. */
struct mark {
	struct frame frame;
	uint64_t enter; /* the moment */
	uint64_t payload;
	uint64_t id;       /* of a range, else 0 */
	uint32_t name;     /* its text, in the name table; 0 at an end */
	uint32_t domain;   /* name of the domain, 0 for the one without a name */
	uint16_t api;      /* of the settings that asked for it */
	uint16_t payload_kind; /* enum mark_payload */
	uint32_t color;    /* ARGB, with MARK_COLORED */
	uint32_t category; /* the program's number, 0 for none */
	uint32_t category_name; /* in the name table, or 0 */
};

/* Values are written to trace files: append only. */
enum memory_kind {
	MEMORY_KIND_UNKNOWN = 0,
	MEMORY_KIND_PAGEABLE = 1, /* of the host */
	MEMORY_KIND_PINNED = 2,
	MEMORY_KIND_DEVICE = 3, /* CUDA's, OpenCL's buffers */
	MEMORY_KIND_ARRAY = 4, /* CUDA's arrays, OpenCL's images */
	MEMORY_KIND_MANAGED = 5, /* CUDA's managed memory, OpenCL's shared virtual memory */
	MEMORY_KIND_STATIC = 6, /* the variables of a module */
	MEMORY_KIND_PIPE = 7,
};

/* frame.flags of an allocation */
enum allocation_flag { ALLOCATION_FREED = 1 << 0 /* it is the end of one */ };

/* Memory that is there from now on, or no longer. */
struct allocation {
	struct frame frame;
	uint64_t enter; /* the call that did it; if that is not known, both the moment */
	uint64_t leave;
	uint64_t address; /* CUDA: where it is; OpenCL: the object's handle, or where it is */
	uint64_t bytes;
	uint16_t api;    /* enum api */
	uint16_t memory; /* enum memory_kind */
	uint32_t device; /* id in the catalog; UINT32_MAX: of no one device */
	uint32_t context; /* id in the catalog; UINT32_MAX: not known */
	uint32_t name;   /* of a variable, in the name table, or 0 */
};

/* Values are written to trace files: append only. */
enum wait_kind {
	WAIT_FOR_EVENT = 1, /* the host waits; so the next ones but STREAM_FOR_EVENT */
	WAIT_STREAM_FOR_EVENT = 2, /* a stream waits */
	WAIT_FOR_STREAM = 3, /* or queue */
	WAIT_FOR_CONTEXT = 4,
};

/* The program waits for the device: a part of a call, or all of it. */
struct wait {
	struct frame frame;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t event; /* what was waited for: CUPTI's number, or OpenCL's handle; else 0 */
	uint32_t device;  /* id in the catalog; UINT32_MAX: not known */
	uint32_t context; /* the same */
	uint16_t api;     /* enum api */
	uint16_t kind;    /* enum wait_kind */
	uint32_t stream;  /* ordinal, as of records; UINT32_MAX: not known */
};

/* frame.flags of a queue */
enum queue_flag {
	QUEUE_UNORDERED = 1 << 0, /* OpenCL's out of order, CUDA's non-blocking stream */
	QUEUE_PRIORITY = 1 << 1, /* `priority` is known */
};

/* A queue or stream was made. */
struct queue {
	struct frame frame;
	uint64_t enter; /* the call that made it; if that is not known, both the moment */
	uint64_t leave;
	uint64_t properties; /* as the API gave them */
	uint32_t device;  /* ids in the catalog */
	uint32_t context;
	uint16_t api;     /* enum api */
	int16_t priority; /* CUDA's */
	uint32_t stream;  /* ordinal, as of records */
};

/* Values are written to trace files: append only. */
enum overhead_kind {
	OVERHEAD_UNKNOWN = 0,
	OVERHEAD_COMPILER = 1, /* the driver's, at run time */
	OVERHEAD_FLUSH = 2, /* of records, by the driver or by us */
	OVERHEAD_INSTRUMENTATION = 3,
	OVERHEAD_RESOURCE = 4,
	OVERHEAD_MODULE = 5, /* modules are loaded when they are first used; so are */
	OVERHEAD_FUNCTION = 6,
	OVERHEAD_COMMANDS = 7, /* the driver's buffer of commands is full */
	OVERHEAD_BUFFER = 8, /* room for records is asked for */
	OVERHEAD_MANAGED = 9, /* managed memory is made ready to be watched */
};

/* Time that would not have passed, or passed otherwise, without a profiler. */
struct overhead {
	struct frame frame;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t count; /* of what was flushed, made ...; 0 if not known */
	uint64_t object; /* the thread's kernel id; 0 for the whole process */
	uint16_t api;    /* enum api */
	uint16_t kind;   /* enum overhead_kind */
	uint32_t reserved;
};

/* In the correlations of all of them, which have counts of their own: see doc/FORMAT. */
#define EVENT_NUMBERS (UINT64_C(1) << 39)

/* How all of them but marks begin, which are a moment. */
struct timed {
	struct frame frame;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
};

/* Room for any of them; frame.kind says which it is. */
union event {
	struct frame frame;
	struct timed timed;
#define EVENT(kind, member, ...) struct member member;
#include "model/events.def"
#undef EVENT
};

/* An event is ordered as a record and waits for nothing; one with a time begins as all of them. */
#define EVENT_MOMENT(kind)                                                                         \
	(offsetof(struct kind, enter) == offsetof(struct record, enter) &&                         \
	 offsetof(struct kind, api) == offsetof(struct call, api) &&                               \
	 sizeof(struct kind) <= offsetof(struct record, handle))
#define EVENT_TIMED(kind)                                                                          \
	(EVENT_MOMENT(kind) && offsetof(struct kind, leave) == offsetof(struct timed, leave))
#define EVENT(kind, member, size, time, ...)                                                       \
	_Static_assert(sizeof(struct member) == (size), "it is part of the trace format");         \
	_Static_assert(EVENT_##time(member), "it is laid out as all events are");
#include "model/events.def"
#undef EVENT
#undef EVENT_TIMED
#undef EVENT_MOMENT

#endif

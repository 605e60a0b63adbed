/* SPDX-License-Identifier: MIT */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include "model/record.h"

/*
 * Events: everything in a trace other than records, recorded only if requested
 * (COMPUTE_PROFILE_API). Each starts with a frame, as a record does, has `api` at the same offset,
 * and has the same format in rings, ring files and traces. No event waits for the device.
 */

/* One call by the program to a function of an API. */
struct call {
	struct frame frame;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t made;  /* correlation of the first record that it made, 0 if none */
	int32_t result; /* its error code, 0 for success; INT32_MIN: it failed without a code */
	uint32_t name;  /* of the function, in the name table */
	uint16_t api;   /* enum api */
	uint16_t records; /* number of its records, whose correlations are consecutive */
	uint32_t number; /* CUPTI's number of the function, 0 without one */
};

/* frame.flags of a mark */
enum mark_flag {
	MARK_START = 1 << 0, /* of a range; without START and END it is a moment */
	MARK_END = 1 << 1,
	MARK_PUSHED = 1 << 2, /* START and END: the range is on its thread's stack */
	MARK_COLORED = 1 << 3,
};

/* The type of a mark's `payload`, numbered as in NVTX. */
enum mark_payload {
	PAYLOAD_NONE = 0,
	PAYLOAD_UNSIGNED = 1, /* 64 bits */
	PAYLOAD_SIGNED = 2,
	PAYLOAD_DOUBLE = 3,
};

/* An annotation by the program: a moment, or one end of a range. Both ends of a range have the same
 * id, which is the correlation of its start. */
struct mark {
	struct frame frame;
	uint64_t enter; /* the moment */
	uint64_t payload;
	uint64_t id;       /* of a range, else 0 */
	uint32_t name;     /* its text, in the name table; 0 at an end */
	uint32_t domain;   /* name of the domain, 0 for the default domain */
	uint16_t api;      /* of the settings that requested it */
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
	MEMORY_KINDS
};

/* frame.flags of an allocation */
enum allocation_flag { ALLOCATION_FREED = 1 << 0 /* the memory was released */ };

/* An allocation or release of memory. */
struct allocation {
	struct frame frame;
	uint64_t enter; /* of the call that did it; if unknown, both are the moment */
	uint64_t leave;
	uint64_t address; /* CUDA: address; OpenCL: handle of the object, or address */
	uint64_t bytes;
	uint16_t api;    /* enum api */
	uint16_t memory; /* enum memory_kind */
	uint32_t device; /* id in the catalog; UINT32_MAX: not a single device */
	uint32_t context; /* id in the catalog; UINT32_MAX: not known */
	uint32_t name;   /* of a variable, in the name table, or 0 */
};

/* Values are written to trace files: append only. */
enum wait_kind {
	WAIT_FOR_EVENT = 1, /* the host waits, as in all but STREAM_FOR_EVENT */
	WAIT_STREAM_FOR_EVENT = 2, /* a stream waits */
	WAIT_FOR_STREAM = 3, /* or queue */
	WAIT_FOR_CONTEXT = 4,
};

/* The program waits for the device: during a part of a call, or all of it. */
struct wait {
	struct frame frame;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t event; /* waited for: CUPTI's number, or OpenCL's handle; else 0 */
	uint32_t device;  /* id in the catalog; UINT32_MAX: not known */
	uint32_t context; /* the same */
	uint16_t api;     /* enum api */
	uint16_t kind;    /* enum wait_kind */
	uint32_t stream;  /* ordinal, as in struct record; UINT32_MAX: not known */
};

/* frame.flags of a queue */
enum queue_flag {
	QUEUE_UNORDERED = 1 << 0, /* OpenCL's out of order, CUDA's non-blocking stream */
	QUEUE_PRIORITY = 1 << 1, /* `priority` is known */
};

/* The creation of a queue or stream. */
struct queue {
	struct frame frame;
	uint64_t enter; /* of the call that made it; if unknown, both are the moment */
	uint64_t leave;
	uint64_t properties; /* as passed to the API */
	uint32_t device;  /* ids in the catalog */
	uint32_t context;
	uint16_t api;     /* enum api */
	int16_t priority; /* CUDA's */
	uint32_t stream;  /* ordinal, as in struct record */
};

/* Values are written to trace files: append only. */
enum overhead_kind {
	OVERHEAD_UNKNOWN = 0,
	OVERHEAD_COMPILER = 1, /* the driver's, at run time */
	OVERHEAD_FLUSH = 2, /* of records, by the driver or the profiler */
	OVERHEAD_INSTRUMENTATION = 3,
	OVERHEAD_RESOURCE = 4,
	OVERHEAD_MODULE = 5, /* modules are loaded at first use, as are functions */
	OVERHEAD_FUNCTION = 6,
	OVERHEAD_COMMANDS = 7, /* the driver's buffer of commands is full */
	OVERHEAD_BUFFER = 8, /* a buffer for records is requested */
	OVERHEAD_MANAGED = 9, /* managed memory is prepared for tracing */
};

/* Time that passes only because of the profiler. */
struct overhead {
	struct frame frame;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t count; /* of flushed or made objects; 0 if unknown */
	uint64_t object; /* the thread's kernel id; 0 for the whole process */
	uint16_t api;    /* enum api */
	uint16_t kind;   /* enum overhead_kind */
	uint32_t reserved;
};

/* frame.flags of a sample */
enum sample_flag {
	SAMPLE_DEVICE = 1 << 0, /* the thread ran a command of a device, whose record has the time:
				 * an OpenCL driver for CPUs. It is not counted again */
};

/* How a sample was taken. Values are written to trace files: append only. */
enum sample_clock {
	SAMPLE_CLOCK_UNKNOWN = 0,
	SAMPLE_CLOCK_TASK = 1, /* perf_event_open, the thread's task clock */
	SAMPLE_CLOCK_THREAD = 2, /* a timer of the thread's CPU time */
};

/* Where a thread was at one time: frame.thread and frame.stack. */
struct sample {
	struct frame frame;
	uint64_t enter;  /* the moment, CLOCK_MONOTONIC ns */
	uint64_t weight; /* CPU time that it stands for, ns */
	uint64_t spare[2]; /* 0 */
	uint16_t api;    /* of the settings that requested it */
	uint16_t clock;  /* enum sample_clock */
	uint32_t reserved; /* 0 */
};

/* frame.flags of a use */
enum use_flag {
	USE_ASSUMED = 1 << 0, /* neither the object nor the kernel shows the access */
	USE_PARTIAL = 1 << 1, /* the command may use only some of the bytes of the part */
};

/* Values are written to trace files: append only. */
enum use_access {
	USE_NONE = 0, /* the command uses no known memory; `address` to `bytes` are 0 */
	USE_READ = 1,
	USE_WRITE = 2,
	USE_READ_WRITE = USE_READ | USE_WRITE,
};

#define USE_NO_ARGUMENT UINT32_MAX

/* A command uses an allocation. With a record, frame.stack is 0: the record has the stack. */
struct use {
	struct frame frame;
	uint64_t enter;   /* of the call that made the command */
	uint64_t address; /* as of the allocation */
	uint64_t offset;  /* of the part in it, in bytes */
	uint64_t bytes;   /* of the part; 0: not known, any part of the allocation */
	uint16_t api;     /* enum api */
	uint16_t access;  /* enum use_access */
	uint32_t argument; /* index of the kernel's argument, or USE_NO_ARGUMENT */
	uint64_t record;  /* correlation of the command's record, 0 if there is none */
};

/* Why the contents of memory after a write were not compared with those before. Values are written
 * to trace files: append only. */
enum change_reason {
	CHANGE_COMPARED = 0,
	CHANGE_LARGE = 1,      /* the object is larger than the limit */
	CHANGE_MEMORY = 2,     /* the copies of all objects would need more than the limit */
	CHANGE_TIME = 3,       /* comparing has taken all the time that it may take */
	CHANGE_PENDING = 4,    /* the command may wait for the program */
	CHANGE_KIND = 5,       /* an image, shared virtual memory, or a pipe */
	CHANGE_UNREADABLE = 6, /* the program permits no reading of the object by the host */
	CHANGE_FAILED = 7,     /* the command or the reading has failed */
	CHANGE_LOST = 8,       /* the contents before the write are not known */
	CHANGE_SKIPPED = 9,    /* the settings leave this launch out */
	CHANGE_REASONS
};

/* What a write has changed: it follows the use. Bytes that are neither the same nor changed were
 * not written before. The numbers are 0 if nothing was compared. */
struct change {
	struct frame frame;
	uint64_t enter;   /* of the call that made the command */
	uint64_t use;     /* correlation of the use */
	uint64_t same;    /* bytes of its part, in words that were written before (doc/FORMAT), that
			   * are as they were */
	uint64_t changed; /* bytes of its part that differ */
	uint16_t api;     /* enum api */
	uint16_t reason;  /* enum change_reason */
	uint32_t same_words; /* words of 4 bytes that were written before and are as they were */
	uint64_t hash; /* of the allocation's contents afterwards */
};

/* The type of the elements of memory. Values are written to trace files: append only. */
enum element_type {
	ELEMENT_UNKNOWN = 0,
	ELEMENT_INT8 = 1,
	ELEMENT_INT16 = 2,
	ELEMENT_INT32 = 3,
	ELEMENT_INT64 = 4,
	ELEMENT_UINT8 = 5,
	ELEMENT_UINT16 = 6,
	ELEMENT_UINT32 = 7,
	ELEMENT_UINT64 = 8,
	ELEMENT_FLOAT16 = 9,
	ELEMENT_FLOAT32 = 10,
	ELEMENT_FLOAT64 = 11,
	ELEMENT_TYPES
};

/* Patterns of the values of memory, as bits. Written to trace files: append only. */
enum pattern_kind {
	PATTERN_ZEROS = 1 << 0,	   /* all elements are 0, */
	PATTERN_SINGLE = 1 << 1,   /* or have another value, the same in all */
	PATTERN_FREQUENT = 1 << 2, /* few different values, or one in half of the elements */
	PATTERN_NARROW = 1 << 3,   /* a type with fewer bits has all values */
	PATTERN_INTEGERS = 1 << 4, /* floating-point numbers that are whole numbers */
	PATTERN_LINEAR = 1 << 5,   /* a linear function of the index */
};

/* frame.flags of a pattern */
enum pattern_flag {
	PATTERN_BEFORE = 1 << 0,  /* of the contents before the command, else after it */
	PATTERN_ASSUMED = 1 << 1, /* the type of the elements is that of the settings */
	PATTERN_MANY = 1 << 2,	  /* there are more different values than were counted */
	PATTERN_MANY_ROUNDED = 1 << 3,
};

/* The patterns of the part of a use, a kernel's argument: it follows the use. Values of it follow.
 * Rounded: with fewer bits of the mantissas, 0 without such a level. */
struct pattern {
	struct frame frame;
	uint64_t enter;	   /* of the call that made the command */
	uint64_t use;	   /* correlation of the use */
	uint64_t elements; /* whose contents are known */
	uint32_t distinct; /* different values */
	uint32_t rounded_distinct;
	uint16_t api;		/* enum api */
	uint8_t type;		/* enum element_type */
	uint8_t width;		/* components of the vectors that are the elements, or 1 */
	uint16_t kinds;		/* enum pattern_kind */
	uint16_t rounded_kinds;
	uint8_t narrow_signed;	/* NARROW: bits of the narrower type that has all values: signed */
	uint8_t narrow_unsigned; /* (or floating-point), unsigned, */
	uint8_t narrow_tail;	/* and unsigned without trailing zero bits; the type's own: none */
	uint8_t narrow_rounded;
	uint8_t level; /* of the rounding, 0 to 5 */
	uint8_t reserved[3];
};

/* Values are written to trace files: append only. */
enum pattern_value_kind {
	PATTERN_VALUE_TOP = 1,	   /* a frequent value; the most frequent one first */
	PATTERN_VALUE_ROUNDED = 2, /* the same of the rounded values */
	PATTERN_VALUE_LINE = 3,	   /* LINEAR: the function */
};

/* A value of a pattern, in the bits of its type; of LINE, those of a double. */
struct pattern_value {
	struct frame frame;
	uint64_t enter;
	uint64_t use;
	uint64_t value; /* LINE: the slope */
	uint64_t count; /* elements with the value; LINE: the value at index 0 */
	uint16_t api;
	uint16_t kind; /* enum pattern_value_kind */
	uint32_t reserved;
	uint64_t error; /* LINE: the mean of the squared errors; else 0 */
};

/* What a struct source_line is about. Values are written to trace files: append only. */
enum line_kind {
	LINE_LOAD = 1,	      /* loads of a place in the source, */
	LINE_STORE = 2,	      /* or stores */
	LINE_LAUNCH = 3,      /* launches that were counted; `text` is the kernel's name */
	LINE_NOT_COUNTED = 4, /* launches that are not; `text` has "KERNEL\tREASON" */
};

/* Accesses of global memory at a place in the source, in one launch of a kernel. `text` has
 * "KERNEL\tFILE\tLINE\tFUNCTION\tSOURCE": the text of the line is the last part. */
struct source_line {
	struct frame frame;
	uint64_t enter; /* of the call that launched the kernel */
	uint64_t count;
	uint64_t zeros;	 /* of them, with a value of which all bits are 0 */
	uint64_t silent; /* stores of the value that was there */
	uint16_t api;	 /* enum api */
	uint16_t kind;	 /* enum line_kind */
	uint32_t text;	 /* id of a name */
	uint64_t same;	 /* accesses with the value of the first one, a lower bound */
};

/* The program has recorded an event of CUDA in a stream. */
struct recorded {
	struct frame frame;
	uint64_t enter; /* of the call that did it; if unknown, both are the moment */
	uint64_t leave;
	uint64_t event;	  /* CUPTI's number of the event */
	uint32_t device;  /* id in the catalog; UINT32_MAX: not known */
	uint32_t context; /* the same */
	uint16_t api;	  /* enum api */
	uint16_t reserved;
	uint32_t stream; /* ordinal, as in struct record; UINT32_MAX: not known */
};

/* `number` of an attribute that is none of the driver's numbers (CUdevice_attribute). Values are
 * written to trace files: append only. */
enum attribute_number {
	ATTRIBUTE_MEMORY = 1 << 15, /* bytes of the device's memory */
	ATTRIBUTE_UUID,		    /* 16 bytes */
};

/* A property of a device, as the driver tells it. */
struct attribute {
	struct frame frame;
	uint64_t enter;	   /* the moment */
	uint64_t value[2]; /* signed, with the second half 0; or 16 bytes */
	uint64_t reserved;
	uint16_t api;	 /* enum api */
	uint16_t number; /* the driver's, or enum attribute_number */
	uint32_t device; /* id in the catalog */
};

/* Numbered as in CUPTI. Values are written to trace files: append only. */
enum managed_kind {
	MANAGED_HOST_TO_DEVICE = 1, /* migration: `value` bytes; `cause`: see doc/FORMAT */
	MANAGED_DEVICE_TO_HOST = 2,
	MANAGED_HOST_FAULT = 3,	  /* `value`: the instruction of the program; `cause`: the access */
	MANAGED_DEVICE_FAULT = 4, /* `value`: groups of faults of one page; `cause`: the access */
	MANAGED_THRASHING = 5,	  /* `value` bytes that several processors contend for */
	MANAGED_THROTTLING = 6,	  /* a processor has to wait because of that */
	MANAGED_REMOTE_MAP = 7,	  /* `value` bytes are mapped, and stay at another processor */
	MANAGED_DEVICE_TO_DEVICE = 8,
	MANAGED_KINDS
};

/* frame.flags of an event of managed memory */
enum managed_flag {
	MANAGED_MOMENT = 1 << 0, /* it has no end: `leave` is `enter` */
};

/* What the driver does with CUDA's managed memory. */
struct managed {
	struct frame frame;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
	uint64_t value;
	uint64_t address; /* of the first page */
	uint16_t api;	  /* enum api */
	uint8_t kind;	  /* enum managed_kind */
	uint8_t cause;
	uint32_t source; /* CUPTI's numbers of processors and of the stream */
	uint32_t target;
	uint32_t stream;
};

/* Bit in the correlations of events, which are counted separately: see doc/FORMAT. */
#define EVENT_NUMBERS (UINT64_C(1) << 39)

/* The common start of all events but marks, which are a moment. */
struct timed {
	struct frame frame;
	uint64_t enter; /* CLOCK_MONOTONIC ns */
	uint64_t leave;
};

/* Room for any event; frame.kind is its type. */
union event {
	struct frame frame;
	struct timed timed;
#define EVENT(kind, member, ...) struct member member;
#include "model/events.def"
#undef EVENT
};

/* The layout of events: the members that all have in common are at the same offsets. */
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

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_OPENCL_H
#define TESTS_FAKES_OPENCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/opencl/cl.h"

/* The fake driver ignores many parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/*
 * A driver without a device, for a real loader. Its properties and the results of commands are
 * scripted by the environment variable FAKE_OPENCL, words separated by blanks. Command number N
 * (from 1, in the order of the successful enqueue calls) takes N microseconds. It is strict: a use
 * after release, and an object left at the end, are reported on stderr, and the process ends with
 * code 99.
 */
struct script {
	/* its properties */
	const char *vendor;   /* nvidia, amd, intel; else none of them */
	const char *board;    /* AMD's name of the board */
	int64_t cc;	      /* NVIDIA: 10 * major + minor */
	int64_t warp;	      /* NVIDIA's warp, AMD's wavefront */
	int64_t version;      /* 110, 120, 200, 210, 300: what the dispatch table has */
	int64_t platforms;
	int64_t devices;      /* of each platform */
	int64_t suggest;      /* has cl_khr_suggested_local_work_size, and suggests 16, 8, 1;
				 2: zeros, 3: nothing, but without an error, 4: with one,
				 5: reports each call */
	int64_t required;     /* 1: each kernel has reqd_work_group_size(16, 8, 1) */
	int64_t registers;    /* of each kernel, in the build log */
	int64_t shared;	      /* local memory of each kernel */
	const char *kernel;   /* a file: its bytes are the name of each kernel */
	int64_t buffers;      /* has cl_khr_command_buffer; 2: its events are of markers */
	int64_t oclgrind;     /* has this name, and reports the times of every queue */
	int64_t unnumbered;   /* markers, reads and commands without times do not count */
	/* its behaviour */
	int64_t noprofiling;  /* no queue with CL_QUEUE_PROFILING_ENABLE can be made */
	const char *stamps;   /* zero, untouched, backwards, early, error; else they are good */
	const char *clock;    /* monotonic, raw, real, own */
	int64_t offset;	      /* ns of the own clock from CLOCK_MONOTONIC */
	int64_t drift;	      /* and the millionths by which it runs faster */
	int64_t timer;	      /* 1: clGetDeviceAndHostTimer works; 2: it returns wrong times */
	int64_t holds;	      /* events hold kernels, command buffers hold their queue */
	int64_t slow;	      /* ms that the first enqueue call takes until its command is queued */
	int64_t dawdle;	      /* ms that each flush takes until it looks at its queue */
	int64_t lazy;	      /* nothing starts before a flush */
	int64_t late;	      /* ms after which the first command is complete */
	int64_t step;	      /* ms by which each further one is later (negative: earlier) */
	int64_t never;	      /* number of the command that never completes; -1: all, -N: the first
			       * N */
	int64_t fail;	      /* of the one that ends with CL_OUT_OF_RESOURCES; -1: all */
	int64_t failat;	      /* number of the query (clGet...) that fails with an error */
	int64_t refuse;	      /* of the enqueue call that fails; -1: all */
	int64_t keep;	      /* number of the release (clRelease...) that fails */
	int64_t reuse;	      /* released objects are reused at once */
	int64_t leaks;	      /* objects left at the end are no error */
	int64_t stampcount;   /* prints the number of queries of time stamps at the end */
};

extern struct script script;
void script_read(void);

enum kind {
	KIND_PLATFORM = 1,
	KIND_DEVICE,
	KIND_CONTEXT,
	KIND_QUEUE,
	KIND_MEM,
	KIND_PROGRAM,
	KIND_KERNEL,
	KIND_EVENT,
	KIND_COMMAND_BUFFER,
	KINDS
};

/* The common start of all objects; the loader uses only the first member. */
struct object {
	const cl_icd_dispatch *dispatch;
	enum kind kind;
	cl_uint references; /* 0: released */
	struct object *older;
};

struct _cl_platform_id {
	struct object object;
	cl_device_id *devices;
};

struct _cl_device_id {
	struct object object;
	cl_platform_id platform;
	cl_device_id parent;
	unsigned number;
};

struct _cl_context {
	struct object object;
	cl_device_id device;
};

struct _cl_command_queue {
	struct object object;
	cl_context context;
	cl_device_id device;
	cl_command_queue_properties properties;
	cl_event pending; /* newest first */
};

struct _cl_mem {
	struct object object;
	cl_context context;
	cl_mem_flags flags;
	size_t size;
	char *bytes;
};

struct _cl_program {
	struct object object;
	cl_context context;
	char *options;
	char *log;
};

struct _cl_kernel {
	struct object object;
	cl_program program;
	char *name;
};

struct _cl_event {
	struct object object;
	cl_command_queue queue;
	cl_kernel kernel; /* held while the command is pending, like the event itself */
	cl_command_type type;
	int64_t number;
	bool pending;
	cl_event older, *link; /* in the queue's list, and what points to this event there */
	uint64_t delay; /* ns from its start to its end; UINT64_MAX: never */
	uint64_t due;	/* CLOCK_MONOTONIC; UINT64_MAX: not started, or never */
	cl_int result;	/* CL_COMPLETE or an error */
	cl_ulong stamps[4]; /* queued, submit, start, end */
};

/* object.c. A call holds the lock until the end of its block. */
void driver_lock(void);
void driver_unlock(const int *unused);
#define LOCKED() __attribute__((cleanup(driver_unlock), unused)) int locked = (driver_lock(), 0)

void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *object_make(enum kind kind, size_t size);
/* Returns true for such an object that is not released; otherwise reports an error, unless it is
 * NULL. */
bool object_is(const void *object, enum kind kind);
void object_retain(void *object);
/* Releases the object and the objects that it holds. */
void object_release(void *object);
/* For clRetain... and clRelease... */
cl_int object_count(void *object, enum kind kind, int change, cl_int invalid);
void object_check_end(void);
/* queue_update for all queues. */
void object_update_queues(bool whole);

cl_int answer(const void *from, size_t need, size_t size, void *value, size_t *size_ret);
cl_int answer_text(const char *text, size_t size, void *value, size_t *size_ret);

/* event.c */
uint64_t host_clock(void);
cl_ulong device_clock(void);
cl_int queue_flush(cl_command_queue queue); /* clFlush, at once */
void queue_start(cl_command_queue queue);
/* Ends commands that are due; with `all`, also others. */
void queue_update(cl_command_queue queue, bool all);
void event_update(cl_event event);
void event_print_stamp_count(void); /* if the script requests it */
/* Makes a command with its event, which is also stored for the program; or returns an error. */
cl_int command_make(cl_command_queue queue, cl_command_type type, cl_kernel kernel,
		    cl_uint wait_count, const cl_event *wait, cl_event *event);

/* buffer.c: returns an extension function, NULL if unknown. */
void *buffer_function(const char *name);
void command_buffer_drop(void *buffer); /* releases the objects that it holds */

extern cl_icd_dispatch dispatch;
void dispatch_fill(void);

/* The functions, each named fake_NAME. */
#define FAKE(name) __typeof__(name) fake_##name;
#include "opencl.def"
#undef FAKE

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CUPTI_EVENTS_H
#define BACKEND_CUDA_CUPTI_EVENTS_H

#include "backend/cuda/cupti.h"

/* Records of CUPTI (cupti.h) other than device work. Their streams and contexts are UINT32_MAX if
 * there is none. */

enum cupti_event_kind {
	CUPTI_KIND_OVERHEAD = 17,
	CUPTI_KIND_MANAGED = 25,
	CUPTI_KIND_RECORDED = 36,
	CUPTI_KIND_STREAM = 37,
	CUPTI_KIND_SYNCHRONIZATION = 38,
	CUPTI_KIND_MEMORY = 45, /* before CUDA 11.2 */
	CUPTI_KIND_MEMORY2 = 49,
};

enum cupti_overhead_kind {
	CUPTI_OVERHEAD_COMPILER = 1,
	CUPTI_OVERHEAD_FLUSH = 1 << 16,
	CUPTI_OVERHEAD_INSTRUMENTATION = 2 << 16,
	CUPTI_OVERHEAD_RESOURCE = 3 << 16,
	CUPTI_OVERHEAD_MODULE = 4 << 16,
	CUPTI_OVERHEAD_FUNCTION = 5 << 16,
	CUPTI_OVERHEAD_COMMANDS = 6 << 16,
	CUPTI_OVERHEAD_BUFFER = 7 << 16,
	CUPTI_OVERHEAD_MANAGED = 8 << 16,
};

enum { CUPTI_OBJECT_THREAD = 2 };

struct cupti_overhead { /* CUPTI_KIND_OVERHEAD */
	uint32_t kind;
	uint32_t overhead; /* enum cupti_overhead_kind */
	uint32_t object_kind;
	uint32_t object[3]; /* of a thread: process and thread */
	uint64_t start;
	uint64_t end;
};

enum cupti_stream_flag { CUPTI_STREAM_DEFAULT = 1, CUPTI_STREAM_NON_BLOCKING = 2 };

struct cupti_stream { /* CUPTI_KIND_STREAM */
	uint32_t kind;
	uint32_t context;
	uint32_t stream;
	uint32_t priority; /* an int */
	uint32_t flag;	   /* enum cupti_stream_flag */
	uint32_t correlation;
};

struct cupti_recorded { /* CUPTI_KIND_RECORDED: an event is recorded in a stream */
	uint32_t kind;
	uint32_t correlation;
	uint32_t context;
	uint32_t stream;
	uint32_t event;
	uint32_t padding;
};

enum cupti_wait {
	CUPTI_WAIT_EVENT = 1,
	CUPTI_WAIT_STREAM_EVENT = 2,
	CUPTI_WAIT_STREAM = 3,
	CUPTI_WAIT_CONTEXT = 4,
};

struct cupti_synchronization { /* CUPTI_KIND_SYNCHRONIZATION */
	uint32_t kind;
	uint32_t type; /* enum cupti_wait */
	uint64_t start;
	uint64_t end;
	uint32_t correlation;
	uint32_t context;
	uint32_t stream;
	uint32_t event;
};

enum cupti_managed_kind {
	CUPTI_MANAGED_HOST_TO_DEVICE = 1,
	CUPTI_MANAGED_DEVICE_TO_HOST = 2,
	CUPTI_MANAGED_HOST_FAULT = 3,
	CUPTI_MANAGED_DEVICE_FAULT = 4,
	CUPTI_MANAGED_THRASHING = 5,
	CUPTI_MANAGED_THROTTLING = 6,
	CUPTI_MANAGED_REMOTE_MAP = 7,
	CUPTI_MANAGED_DEVICE_TO_DEVICE = 8,
	CUPTI_MANAGED_KINDS
};

struct cupti_managed { /* CUPTI_KIND_MANAGED, since CUDA 7.0 */
	uint32_t kind;
	uint32_t counter; /* enum cupti_managed_kind */
	uint64_t value;
	uint64_t start;
	uint64_t end;
	uint64_t address;
	uint32_t source;
	uint32_t target;
	uint32_t stream;
	uint32_t process;
	uint32_t flags;
	uint32_t padding;
};

struct cupti_allocation { /* CUPTI_KIND_MEMORY: from allocation to release */
	uint32_t kind;
	uint32_t memory; /* enum cupti_memory */
	uint64_t address;
	uint64_t bytes;
	uint64_t start;
	uint64_t end; /* 0: not freed */
	uint64_t allocated_by;
	uint64_t freed_by;
	uint32_t process;
	uint32_t device;
	uint32_t context;
	uint32_t padding;
	const char *name;
};

enum cupti_memory_operation { CUPTI_MEMORY_ALLOCATED = 1, CUPTI_MEMORY_RELEASED = 2 };

struct cupti_operation { /* CUPTI_KIND_MEMORY2 */
	uint32_t kind;
	uint32_t operation; /* enum cupti_memory_operation */
	uint32_t memory;    /* enum cupti_memory */
	uint32_t correlation;
	uint64_t address;
	uint64_t bytes;
	uint64_t moment;
	uint64_t done_by;
	uint32_t process;
	uint32_t device;
	uint32_t context;
	uint32_t stream;
	const char *name;
};

_Static_assert(sizeof(struct cupti_overhead) == 40 && sizeof(struct cupti_stream) == 24 &&
		       sizeof(struct cupti_synchronization) == 40 &&
		       sizeof(struct cupti_recorded) == 24,
	       "overheads, streams, waits and events are laid out as CUPTI writes them");
_Static_assert(sizeof(struct cupti_managed) == 64, "it is laid out as CUPTI writes it");
_Static_assert(sizeof(struct cupti_allocation) == 80 && sizeof(struct cupti_operation) == 72,
	       "allocations are laid out as CUPTI writes them");

#endif

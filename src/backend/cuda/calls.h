/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CALLS_H
#define BACKEND_CUDA_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * The kinds of calls. CUPTI numbers the calls, and each release adds some, so they are classified
 * by their names, for all calls that the library in the process knows.
 */
enum call_kind {
	CALL_OTHER,  /* makes no known work */
	CALL_LAUNCH, /* makes one kernel, */
	CALL_LAUNCH_COOPERATIVE, /* which is cooperative, */
	CALL_LAUNCH_EX, /* or which is cooperative if its attributes say so */
	CALL_LAUNCHES, /* makes a cooperative one on each of several devices */
	CALL_GRAPH,  /* makes the commands of its graph */
	CALL_COPY,   /* makes a copy or a memset, or no device work */
	CALL_CAPTURE,	  /* starts the capture of a graph */
	CALL_CAPTURE_END, /* ends the capture */
	CALL_FLUSH,  /* destroys objects that records refer to, so records are flushed first */
	CALL_UNLOAD, /* unloads a module, so records are flushed first, for the names of its
			kernels */
	CALL_KINDS
};

/* Returns true if it makes one kernel. */
static inline bool calls_launch_one(enum call_kind kind)
{
	return kind >= CALL_LAUNCH && kind <= CALL_LAUNCH_EX;
}

/* Returns true if it always makes kernels. */
static inline bool calls_launch(enum call_kind kind)
{
	return kind >= CALL_LAUNCH && kind <= CALL_LAUNCHES;
}

static inline bool calls_make_work(enum call_kind kind)
{
	return calls_launch(kind) || kind == CALL_GRAPH || kind == CALL_COPY;
}

static inline bool calls_need_flush(enum call_kind kind)
{
	return kind == CALL_FLUSH || kind == CALL_UNLOAD;
}

/* Returns true if the call may start the capture of a graph, although it is not CALL_CAPTURE: this
 * release of CUPTI is older than graphs, and has no name for the call. */
bool calls_may_capture(uint32_t domain, uint32_t callback);

/* Returns true if a CALL_CAPTURE_END with this result has ended the capture. A failed call may have
 * ended it, too, unless the error is that the stream had no capture, or that the capture belongs to
 * another thread. */
static inline bool calls_end_capture(int result)
{
	return !result || (result >= CUDA_CAPTURE_FIRST && result <= CUDA_CAPTURE_LAST &&
			   result != CUDA_CAPTURE_UNMATCHED);
}

enum { CALL_LIMIT = 4096 }; /* highest id in each domain */

/* Classifies all calls. Call once, before the first record. */
void calls_find(void);

/* Returns the name id of the call `callback` in that domain; 0 if it has none. The name is as in
 * the program: cudaLaunchKernel for CUPTI's cudaLaunchKernel_v7000. Not thread-safe. */
uint32_t calls_name(uint32_t domain, uint32_t callback);

/* Returns the kind of the call `callback` in CUPTI_DOMAIN_DRIVER or CUPTI_DOMAIN_RUNTIME. */
enum call_kind calls_kind(uint32_t domain, uint32_t callback);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_CUDA_CALLS_H
#define BACKEND_CUDA_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/cuda/cupti.h"

/*
 * Which of the program's calls matter to us. CUPTI numbers them, and each release adds some, so
 * they are found by their names, among all that the library in the process knows.
 */
enum call_kind {
	CALL_OTHER,  /* makes no work that we know of */
	CALL_LAUNCH, /* makes one kernel */
	CALL_LAUNCHES, /* makes one on each of several devices */
	CALL_GRAPH,  /* makes whatever its graph holds */
	CALL_COPY,   /* makes a copy or a memset, or nothing that the device sees */
	CALL_CAPTURE,	  /* makes a graph of what is called until */
	CALL_CAPTURE_END, /* this one */
	CALL_FLUSH,  /* takes down what records speak of: they have to be had before */
	CALL_KINDS
};

/* Whether it makes a kernel for certain. */
static inline bool calls_launch(enum call_kind kind)
{
	return kind == CALL_LAUNCH || kind == CALL_LAUNCHES;
}

static inline bool calls_make_work(enum call_kind kind)
{
	return calls_launch(kind) || kind == CALL_GRAPH || kind == CALL_COPY;
}

/* Whether a CALL_CAPTURE_END with this result has ended the capture. One that fails may have: not
 * where there was none in this stream, or it is another thread's. */
static inline bool calls_end_capture(int result)
{
	return !result || (result >= CUDA_CAPTURE_FIRST && result <= CUDA_CAPTURE_LAST &&
			   result != CUDA_CAPTURE_UNMATCHED);
}

enum { CALL_LIMIT = 4096 }; /* ids looked at in each domain */

/* What `name`, as CUPTI spells it (cuMemcpyHtoD_v2, cudaLaunchKernel_ptsz_v7000), is. */
enum call_kind calls_kind_of_name(const char *name);

/* Looks all calls up. Once, before the first record. */
void calls_find(void);

/* The name of call `callback` in that domain, in the catalog; 0 if it has none. The program's word
 * for it: cudaLaunchKernel, where CUPTI has cudaLaunchKernel_v7000. By one thread at a time. */
uint32_t calls_name(uint32_t domain, uint32_t callback);

/* The kind of call `callback` in CUPTI_DOMAIN_DRIVER or CUPTI_DOMAIN_RUNTIME. */
enum call_kind calls_kind(uint32_t domain, uint32_t callback);

#endif

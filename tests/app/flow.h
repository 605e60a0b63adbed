/* SPDX-License-Identifier: MIT */
#ifndef APP_FLOW_H
#define APP_FLOW_H

#include "opencl.h"

/* The parts of tests/app/flow.c share a context and a queue; a buffer has COUNT numbers. */
enum { COUNT = 1000, BYTES = COUNT * sizeof(cl_int) };

extern struct opencl flow_opencl;
extern cl_command_queue flow_queue;

cl_mem flow_buffer(cl_mem_flags flags, size_t bytes, void *host);
void flow_set_memory(cl_kernel kernel, cl_uint index, cl_mem memory);
void flow_set_int(cl_kernel kernel, cl_uint index, cl_int value);

/* Writes a part of the buffer, of `bytes` bytes from `offset` on; waits for it. */
void flow_write(cl_mem buffer, const void *host, size_t offset, size_t bytes);
void flow_copy(cl_mem from, cl_mem to, size_t offset, size_t bytes);

/* Enqueues a write of the whole buffer, behind `gate` unless it is NULL. */
void flow_write_behind(cl_command_queue behind, cl_mem buffer, const void *host, cl_event gate);

/* The kernel's arguments are `count` buffers, and COUNT. */
void flow_launch(const char *name, int count, const cl_mem *memory);

/* flow_random.c: the parts "random" and "twice". */
void flow_random(void);
void flow_twice(void);

/* flow_threads.c */
void flow_threads(void);
void flow_shared(void);
void flow_borrowed(void);
void flow_stuck(void);

#endif

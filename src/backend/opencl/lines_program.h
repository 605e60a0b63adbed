/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_LINES_PROGRAM_H
#define BACKEND_OPENCL_LINES_PROGRAM_H

#include <stdatomic.h>

#include "backend/opencl/lines_source.h"

/* What the counters of a site have added up to. */
struct lines_sum {
	uint64_t count, zeros, silent, same;
};

/* A program and its twin. It ends with its last kernel, before which the driver does not reuse the
 * program's handle. */
struct lines_program {
	struct lines_program *next;
	cl_program original;
	cl_program twin; /* NULL: source.reason says why */
	unsigned kernels;
	struct lines_source source;
	cl_mem table;		 /* the counters, */
	uint32_t *counters;	 /* read back; and */
	struct lines_sum *sums;	 /* as they were after the launch before */
	atomic_flag busy;	 /* from a launch until they are read */
	cl_event reading;	 /* NULL: it has failed */
	uint64_t entered, begun; /* the launch, CLOCK_MONOTONIC ns */
	uint64_t groups;	 /* work-groups that had added sums before the launch */
	uint64_t groups_least, groups_most; /* of the launch */
};

/* Returns the program, NULL without memory; the caller gives it back. With the caller's lock. */
struct lines_program *lines_program_take(cl_program original);
void lines_program_give(struct lines_program *program);

#endif

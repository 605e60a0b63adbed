/* SPDX-License-Identifier: MIT */
#ifndef BACKEND_OPENCL_LINES_PROGRAM_H
#define BACKEND_OPENCL_LINES_PROGRAM_H

#include <stdatomic.h>

#include "backend/opencl/lines_source.h"

/* What the counters of a site have added up to. */
struct lines_sum {
	uint64_t count, zeros, silent, same;
};

/* A program and its twin. Without kernels it is kept until the program releases or builds the
 * original (lines_program_forget): programs make a kernel for each launch. */
struct lines_program {
	struct lines_program *next;
	cl_program original;
	cl_program twin; /* NULL: source.reason says why */
	unsigned kernels;
	bool stays;	   /* when it has no kernels */
	bool is_forgotten; /* it ends with its last kernel, and new kernels have another one */
	struct lines_source source;
	cl_mem table;		 /* the counters, */
	uint32_t *counters;	 /* read back; and */
	struct lines_sum *sums;	 /* as they were after the launch before */
	atomic_flag busy;	 /* from a launch until they are read */
	cl_event reading;	 /* NULL: it has failed */
	atomic_bool is_late; /* the launch that keeps it busy may be asked whether it has ended */
	unsigned lates;	     /* launches that nobody waits for any more */
	uint64_t entered, begun; /* the launch, CLOCK_MONOTONIC ns */
	uint64_t groups;	 /* work-groups that had added sums before the launch */
	uint64_t groups_least, groups_most; /* of the launch */
};

/* Returns the program, NULL without memory; the caller gives it back. `stays`: lines_program_forget
 * will be called. */
struct lines_program *lines_program_take(cl_program original, bool stays);
/* Returns a program that the caller has; it is given back once more. */
struct lines_program *lines_program_share(struct lines_program *program);
void lines_program_give(struct lines_program *program);

/* Returns true if a launch can be counted: then the program is busy. */
bool lines_program_begin(struct lines_program *program);
/* The launch takes too long. It keeps the program busy until lines_program_begin sees that it has
 * ended, or for ever if there were several. */
void lines_program_late(struct lines_program *program);

/* Returns what has been added to the counters of a site that were read back, since the last call.
 */
struct lines_sum lines_program_sum(struct lines_program *program, uint32_t site);

/* The handle's source or options will be others, or the handle that of another program. */
void lines_program_forget(cl_program original);

#endif

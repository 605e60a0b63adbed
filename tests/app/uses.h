/* SPDX-License-Identifier: MIT */
#ifndef APP_USES_H
#define APP_USES_H

#include <stdint.h>

#include "opencl.h"

/*
 * The program "uses" makes each call that uses memory, and prints a line for each use that the
 * trace should have: the record, the access, the allocation, offset, bytes, argument (-1: none),
 * and flags (1 assumed, 2 partial).
 */
enum { USES_SIZE = 1 << 14, NO_ARGUMENT = -1, ASSUMED = 1, PARTIAL = 2 };

struct uses {
	struct opencl opencl; /* its program is built without information about arguments */
	cl_program informed;  /* and this one with it */
	cl_program plain;     /* its source shows how its kernel uses the arguments */
	cl_command_queue queue;
	cl_mem buffer, reads, writes; /* USES_SIZE bytes; for both, and only for one access */
	cl_mem part;		      /* of `buffer`: PART_SIZE bytes from PART_OFFSET */
	char *host;		      /* USES_SIZE bytes */
};

enum { PART_OFFSET = 4096, PART_SIZE = 2048 };

/* `record` is kernel, copy, fill or none. */
void uses_expect(const char *record, const char *access, const void *allocation, size_t offset,
		 size_t bytes, int argument, int flags);

/* The record is of a command that uses no memory. */
void uses_expect_none(const char *record);

/* Returns true if the driver knows what an "add" declares. */
bool uses_is_informed(cl_kernel kernel);

void uses_arguments(struct uses *uses);
void uses_images(struct uses *uses);
void uses_shared(struct uses *uses);

#endif

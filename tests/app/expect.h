/* SPDX-License-Identifier: MIT */
#ifndef APP_EXPECT_H
#define APP_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A test program prints each row that it expects in the log, in launch order, as the log should
 * have it with key and value pairs and the options gridsize3d, threadblocksize, localblocksize,
 * stasmemperblock, streamid, memtransfersize, memtransferdir and memtransferhostmemtype, without
 * the times.
 */

enum { UNKNOWN = -1, PAGEABLE = 0, PAGE_LOCKED = 1 };

/* The two sides of a copy, in cuda4's spelling. */
enum place { HOST = 'H', DEVICE = 'D', IMAGE = 'A' };

/* Later rows are in the dialect of this name: classic or cuda4. */
void expect_dialect(const char *name);

struct expected_kernel {
	const char *name;
	unsigned int queue; /* ordinal of its queue, from 1 */
	bool sized;	    /* groups and local are known */
	size_t groups[3];
	size_t local[3];
	int given;	  /* 1 if the program chose the group size, UNKNOWN without one */
	long local_memory; /* bytes, or UNKNOWN */
};

void expect_kernel(const struct expected_kernel *kernel);
/* `memory` is of the host's side: PAGEABLE, PAGE_LOCKED, or UNKNOWN where there is none. */
void expect_copy(unsigned int queue, enum place from, enum place to, uint64_t bytes, int memory);
void expect_fill(unsigned int queue, uint64_t bytes);

#endif

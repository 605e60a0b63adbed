/* SPDX-License-Identifier: MIT */
#ifndef APP_CUDA_EXPECT_H
#define APP_CUDA_EXPECT_H

/*
 * A CUDA program prints each row that it expects in the log, in launch order, in the form of the
 * classic log with the options gridsize3d, threadblocksize, dynsmemperblock, stasmemperblock,
 * memtransfersize, memtransferdir and memtransferhostmemtype, without the times. Valid in C and
 * C++.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum expect_memory { EXPECT_PAGEABLE = 0, EXPECT_PAGE_LOCKED = 1 };

/* Nothing is printed while this is set: the commands are in no log. */
static bool expect_nothing;

static inline void expect_kernel(const char *name, unsigned int grid, unsigned int block,
				 unsigned int dynamic_shared, unsigned int static_shared)
{
	if (expect_nothing)
		return;
	printf("method=[ %s ] gridSize=[ %u, 1, 1 ] threadblocksize=[ %u, 1, 1 ] ", name, grid,
	       block);
	printf("dynsmemperblock=[ %u ] stasmemperblock=[ %u ] \n", dynamic_shared, static_shared);
}

static inline void expect_to_device(size_t bytes, enum expect_memory from)
{
	if (expect_nothing)
		return;
	printf("method=[ memcopy ] memtransfersize=[ %zu ] memtransferdir=[ 0 ] ", bytes);
	printf("memtransferhostmemtype=[ %d ] \n", from);
}

static inline void expect_to_host(size_t bytes, enum expect_memory to)
{
	if (expect_nothing)
		return;
	printf("method=[ memcopy ] memtransfersize=[ %zu ] memtransferdir=[ 1 ] ", bytes);
	printf("memtransferhostmemtype=[ %d ] \n", to);
}

/* A copy within the device, or a memset. */
static inline void expect_on_device(const char *method, size_t bytes)
{
	if (!expect_nothing)
		printf("method=[ %s ] memtransfersize=[ %zu ] memtransferdir=[ 2 ] \n", method,
		       bytes);
}

#endif

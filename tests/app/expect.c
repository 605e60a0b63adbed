/* SPDX-License-Identifier: MIT */
#include "expect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool cuda4;

void expect_dialect(const char *name)
{
	cuda4 = name && !strcmp(name, "cuda4");
}

static void print_sizes(const char *key, const size_t sizes[3])
{
	printf("%s=[ %zu, %zu, %zu ] ", key, sizes[0], sizes[1], sizes[2]);
}

void expect_kernel(const struct expected_kernel *kernel)
{
	printf("method=[ %s ] ", kernel->name);
	if (kernel->sized) {
		print_sizes(cuda4 ? "ndrangesize" : "NDRangesize", kernel->groups);
		print_sizes("workgroupsize", kernel->local);
	}
	if (kernel->given != UNKNOWN)
		printf("localblocksize=[ %d ] ", kernel->given);
	if (kernel->local_memory != UNKNOWN)
		printf("stapmemperworkgroup=[ %ld ] ", kernel->local_memory);
	printf("streamid=[ %u ] \n", kernel->queue);
}

static void print_transfer(unsigned int queue, uint64_t bytes, int direction, int memory)
{
	printf("streamid=[ %u ] memtransfersize=[ %" PRIu64 " ] memtransferdir=[ %d ] ", queue,
	       bytes, direction);
	if (memory != UNKNOWN)
		printf("memtransferhostmemtype=[ %d ] ", memory);
	printf("\n");
}

void expect_copy(unsigned int queue, enum place from, enum place to, uint64_t bytes, int memory)
{
	if (cuda4)
		printf("method=[ memcpy%cto%casync ] ", from, to);
	else
		printf("method=[ memcopy ] ");
	print_transfer(queue, bytes, from == HOST ? 0 : to == HOST ? 1 : 2, memory);
}

void expect_fill(unsigned int queue, uint64_t bytes)
{
	printf("method=[ %s ] ", cuda4 ? "memsetasync" : "memset");
	print_transfer(queue, bytes, 2, UNKNOWN);
}

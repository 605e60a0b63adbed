/* SPDX-License-Identifier: MIT */
/*
 * Usage: inmalloc COUNT
 *
 * Makes a context and COUNT numbered commands, prints "rows N", and calls _exit in the handler of a
 * signal that interrupts malloc. The program has its own allocator with one lock, so an allocation
 * after that blocks forever.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "numbered.h"

#define INSTEAD __attribute__((visibility("default"))) /* of the C library's */

enum { ROOM = 256 << 20, HEAD = 64 };

static alignas(HEAD) char room[ROOM];
static size_t taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t leaving;

static void *take(size_t alignment, size_t size)
{
	char *block = NULL;
	size_t at;

	pthread_mutex_lock(&lock);
	if (leaving)
		raise(SIGUSR1);
	alignment = alignment < HEAD ? HEAD : alignment;
	at = (taken + HEAD + alignment - 1) / alignment * alignment;
	if (size < ROOM && at + size <= ROOM) {
		block = room + at;
		memcpy(block - sizeof(size), &size, sizeof(size));
		taken = at + size;
	}
	pthread_mutex_unlock(&lock);
	return block;
}

INSTEAD void *malloc(size_t size)
{
	return take(HEAD, size);
}

INSTEAD void free(void *block)
{
	(void)block;
}

/* Unused memory is zero. */
INSTEAD void *calloc(size_t count, size_t size)
{
	return take(HEAD, count * size);
}

INSTEAD void *realloc(void *block, size_t size)
{
	void *other = take(HEAD, size);
	size_t before;

	if (!block || !other)
		return other;
	memcpy(&before, (char *)block - sizeof(before), sizeof(before));
	return memcpy(other, block, before < size ? before : size);
}

INSTEAD void *aligned_alloc(size_t alignment, size_t size)
{
	return take(alignment, size);
}

INSTEAD void *memalign(size_t alignment, size_t size)
{
	return take(alignment, size);
}

INSTEAD int posix_memalign(void **block, size_t alignment, size_t size)
{
	*block = take(alignment, size);
	return *block ? 0 : ENOMEM;
}

static void leave(int number)
{
	(void)number;
	_exit(EXIT_SUCCESS);
}

int main(int argc, char **argv)
{
	struct numbered numbered;
	int count = argc > 1 ? atoi(argv[1]) : 0;
	void *volatile block;

	numbered_open();
	numbered_begin(&numbered);
	if (count) {
		numbered_copy(&numbered, count);
		numbered_finish(&numbered);
		numbered_say(count);
	}
	signal(SIGUSR1, leave);
	leaving = 1;
	block = malloc(1);
	return block ? EXIT_FAILURE : EXIT_SUCCESS;
}

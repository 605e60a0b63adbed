/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mremap, process_vm_readv */
#endif

#include "base/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ASIDE = 2 << 20 };

/* Used from the start to the end; only the last piece can be returned. */
static struct {
	char *_Atomic begin;
	_Atomic size_t used;
} aside;

static void *map(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

size_t memory_in_pages(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

void memory_reserve(void)
{
	char *none = NULL, *memory = atomic_load(&aside.begin) ? NULL : map(ASIDE);

	if (memory && !atomic_compare_exchange_strong(&aside.begin, &none, memory))
		munmap(memory, ASIDE);
}

static void *take_aside(size_t size)
{
	char *begin = atomic_load(&aside.begin);
	size_t used = atomic_load(&aside.used);

	if (!begin || !size || size > ASIDE)
		return NULL;
	size = memory_in_pages(size);
	do
		if (size > ASIDE - used)
			return NULL;
	while (!atomic_compare_exchange_weak(&aside.used, &used, used + size));
	return begin + used;
}

static bool is_aside(const void *memory)
{
	uintptr_t begin = (uintptr_t)atomic_load(&aside.begin), at = (uintptr_t)memory;

	return begin && at >= begin && at < begin + ASIDE;
}

static void give_back(char *memory, size_t size)
{
	size_t offset = (size_t)(memory - atomic_load(&aside.begin));
	size_t whole = memory_in_pages(size), end = offset + whole;

	/* The next user expects zeros. */
	if (madvise(memory, whole, MADV_DONTNEED))
		memset(memory, 0, whole);
	atomic_compare_exchange_strong(&aside.used, &end, offset);
}

void *memory_map(size_t size)
{
	void *memory = map(size);

	return memory ? memory : take_aside(size);
}

void *memory_grow(void *memory, size_t old_size, size_t size)
{
	void *larger = MAP_FAILED;

	if (!is_aside(memory))
		larger = mremap(memory, old_size, size, MREMAP_MAYMOVE);
	if (larger != MAP_FAILED)
		return larger;
	larger = memory_map(size);
	if (!larger)
		return NULL;
	memcpy(larger, memory, old_size);
	memory_unmap(memory, old_size);
	return larger;
}

void memory_unmap(void *memory, size_t size)
{
	if (is_aside(memory))
		give_back(memory, size);
	else if (memory)
		munmap(memory, size);
}

void *memory_array(void *list, size_t count, size_t size)
{
	size_t bytes;

	if (!__builtin_mul_overflow(count, size, &bytes))
		return realloc(list, bytes);
	errno = ENOMEM;
	return NULL;
}

int memory_read_word(const void *from, uint32_t *word)
{
	struct iovec here = {word, sizeof(*word)}, there = {(void *)(uintptr_t)from, sizeof(*word)};
	int before = errno;
	ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	int result = got == sizeof(*word) ? 0 : got < 0 && errno == EFAULT ? -1 : 1;

	errno = before;
	return result;
}

/* SPDX-License-Identifier: MIT */
/* The memory functions for the code under test. Small mappings are malloc blocks with red zones;
 * all are recorded, so that unmapping twice, in part, or not at all is detected. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "fuzz.h"
#include "machine_files.h"

#ifdef MACHINE_ADDRESSES
enum { GUARD = 0 };
#else
enum { GUARD = 16 /* bytes after a block that must not change */ };
#endif

enum { MAPPINGS = 256, SPARE = 32, SMALL = 1 << 16, PAGE = 4096, CLEAN = 16 /* pages of one */ };

enum kind { BLOCK, PAGES, OF_FILE };

struct mapping {
	char *bytes;
	size_t size;
	enum kind kind;
	/* Of PAGES: those that were touched, with the number of faults at that time. */
	unsigned short touched[CLEAN], touched_count;
	long faults;
};

static struct mapping mappings[MAPPINGS], spare[SPARE];
static int count, spare_count, spare_oldest;

void *__real_mmap(void *at, size_t size, int access, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int access, int flags, int fd, off_t offset);
int __real_munmap(void *at, size_t size);
int __wrap_munmap(void *at, size_t size);
void *__real_mremap(void *at, size_t size, size_t wanted, int flags, ...);
void *__wrap_mremap(void *at, size_t size, size_t wanted, int flags, ...);

static size_t pages(size_t size)
{
	return (size + PAGE - 1) / PAGE;
}

/* Mappings of one file are distinguished by their sizes. */
static struct mapping *find(const char *bytes, size_t size)
{
	for (int i = count; i--;)
		if (mappings[i].bytes == bytes && pages(mappings[i].size) == pages(size))
			return &mappings[i];
	CHECK(!"this is not mapped, or not all of it");
	return NULL;
}

static struct mapping *keep(char *bytes, size_t size, enum kind kind)
{
	struct mapping *mapping = &mappings[count++];

	CHECK(count < MAPPINGS);
	mapping->bytes = bytes;
	mapping->size = size;
	mapping->kind = kind;
	mapping->touched_count = 0;
	mapping->faults = -1;
	return mapping;
}

/* Pages are kept for the next mapping of that size: mapping takes longer than clearing the few
 * touched ones. */
static char *take_spare(size_t size)
{
	for (int i = 0; i < spare_count; i++) {
		char *bytes = spare[i].bytes;

		if (spare[i].size != size)
			continue;
		mappings[count++] = spare[i];
		CHECK(count < MAPPINGS);
		spare[i] = spare[--spare_count];
		return bytes;
	}
	return NULL;
}

/* Touching a page for the first time causes a fault. Without a fault the list is unchanged and no
 * query is needed. */
static long count_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

/* Lists the touched pages; false if they are too many. */
static bool list(struct mapping *mapping)
{
	static unsigned char touched[1 << 14];
	size_t left = pages(mapping->size);
	unsigned char *at = touched;

	if (left > sizeof(touched) || mincore(mapping->bytes, mapping->size, touched))
		return false;
	mapping->touched_count = 0;
	while ((at = memchr(at, 1, left - (size_t)(at - touched)))) {
		if (mapping->touched_count == CLEAN)
			return false;
		mapping->touched[mapping->touched_count++] = (unsigned short)(at++ - touched);
	}
	return true;
}

static bool clean(struct mapping *mapping)
{
	long faults = count_faults();

	if (mapping->faults != faults && !list(mapping))
		return false;
	mapping->faults = faults;
	for (int i = 0; i < mapping->touched_count; i++)
		memset(mapping->bytes + (size_t)mapping->touched[i] * PAGE, 0, PAGE);
	return true;
}

/* Replaces the oldest one if there is no room. */
static void put_spare(const struct mapping *mapping)
{
	struct mapping *place = &spare[spare_count];

	if (spare_count == SPARE) {
		place = &spare[spare_oldest++ % SPARE];
		__real_munmap(place->bytes, place->size);
	} else {
		spare_count++;
	}
	*place = *mapping;
}

static const char guard[] = "nobody was here!";

static char *make_block(size_t size)
{
	char *bytes = calloc(1, size + GUARD);

	if (bytes)
		memcpy(bytes + size, guard, GUARD);
	return bytes;
}

static void let_go(struct mapping *mapping)
{
	if (mapping->kind == BLOCK) {
		CHECK(!memcmp(mapping->bytes + mapping->size, guard, GUARD));
		free(mapping->bytes);
	}
	if (mapping->kind == PAGES && clean(mapping))
		put_spare(mapping);
	else if (mapping->kind == PAGES)
		__real_munmap(mapping->bytes, mapping->size);
	*mapping = mappings[--count];
}

void *__wrap_mmap(void *at, size_t size, int access, int flags, int fd, off_t offset)
{
	char *bytes;

	if (!machine_is_on())
		return __real_mmap(at, size, access, flags, fd, offset);
	CHECK(size && !at);
	if (fd >= 0) {
		bytes = machine_map(fd, size, (size_t)offset);
		return bytes ? keep(bytes, size, OF_FILE)->bytes : MAP_FAILED;
	}
	if (size <= SMALL) {
		bytes = make_block(size);
		return bytes ? keep(bytes, size, BLOCK)->bytes : MAP_FAILED;
	}
	size = pages(size) * PAGE;
	bytes = take_spare(size);
	if (bytes)
		return bytes;
	bytes = __real_mmap(at, size, access, flags, fd, offset);
	if (bytes == MAP_FAILED)
		return bytes;
	/* One fault would touch all of a huge page. */
	madvise(bytes, size, MADV_NOHUGEPAGE);
	return keep(bytes, size, PAGES)->bytes;
}

int __wrap_munmap(void *at, size_t size)
{
	if (!machine_is_on())
		return __real_munmap(at, size);
	let_go(find(at, size));
	return 0;
}

void *__wrap_mremap(void *at, size_t size, size_t wanted, int flags, ...)
{
	struct mapping *mapping;
	char *bytes;

	if (!machine_is_on())
		return __real_mremap(at, size, wanted, flags);
	mapping = find(at, size);
	CHECK(mapping->kind != OF_FILE && wanted > size);
	bytes = __wrap_mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);
	if (bytes == MAP_FAILED)
		return bytes;
	memcpy(bytes, at, size);
	let_go(mapping);
	return bytes;
}

void machine_memory_end(void)
{
	CHECK(!count);
}

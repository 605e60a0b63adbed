/* SPDX-License-Identifier: MIT */
/* What the code under test calls for memory. Small mappings are blocks of malloc's, with red zones;
 * all are remembered, so that none is given back twice, in part, or not at all. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "fuzz.h"
#include "machine.h"

enum { MAPPINGS = 256, SPARE = 8, SMALL = 1 << 16, PAGE = 4096, CLEAN = 64 /* pages */ };

enum kind { BLOCK, PAGES, OF_FILE };

struct mapping {
	char *bytes;
	size_t size;
	enum kind kind;
};

static struct mapping mappings[MAPPINGS], spare[SPARE];
static int count, spare_count;

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

/* Of several mappings of one file, those of other sizes are others. */
static struct mapping *find(const char *bytes, size_t size)
{
	for (int i = count; i--;)
		if (mappings[i].bytes == bytes && pages(mappings[i].size) == pages(size))
			return &mappings[i];
	CHECK(!"this is not mapped, or not all of it");
	return NULL;
}

static void *keep(char *bytes, size_t size, enum kind kind)
{
	CHECK(count < MAPPINGS);
	mappings[count++] = (struct mapping){bytes, size, kind};
	return bytes;
}

/* Pages are kept for the next one who wants so many: mapping them takes longer than cleaning the
 * few that were touched. */
static char *get_spare(size_t size)
{
	for (int i = 0; i < spare_count; i++) {
		char *bytes = spare[i].bytes;

		if (spare[i].size != size)
			continue;
		spare[i] = spare[--spare_count];
		return bytes;
	}
	return NULL;
}

static bool clean(const struct mapping *mapping)
{
	static unsigned char touched[1 << 14];
	size_t left = pages(mapping->size), cleaned = 0;
	unsigned char *at = touched;

	if (left > sizeof(touched) || mincore(mapping->bytes, mapping->size, touched))
		return false;
	while ((at = memchr(at, 1, left - (size_t)(at - touched))) && cleaned++ < CLEAN)
		memset(mapping->bytes + (at++ - touched) * PAGE, 0, PAGE);
	return !at;
}

static void let_go(struct mapping *mapping)
{
	if (mapping->kind == BLOCK)
		free(mapping->bytes);
	else if (mapping->kind == PAGES && spare_count < SPARE && clean(mapping))
		spare[spare_count++] = *mapping;
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
		return bytes ? keep(bytes, size, OF_FILE) : MAP_FAILED;
	}
	if (size <= SMALL) {
		bytes = calloc(1, size);
		return bytes ? keep(bytes, size, BLOCK) : MAP_FAILED;
	}
	size = pages(size) * PAGE;
	bytes = get_spare(size);
	if (!bytes)
		bytes = __real_mmap(at, size, access, flags, fd, offset);
	return bytes != MAP_FAILED ? keep(bytes, size, PAGES) : MAP_FAILED;
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

void machine_forgive(size_t size)
{
	for (int i = count; i--;)
		if (mappings[i].size == size)
			let_go(&mappings[i]);
}

void machine_memory_end(void)
{
	CHECK(!count);
}

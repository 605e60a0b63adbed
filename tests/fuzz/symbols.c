/* SPDX-License-Identifier: MIT */
/*
 * The input is an ELF file. libdw does not call the simulated machine: the file is one in memory.
 * Debug information in other files is searched for on the disk.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif

#include "view/symbols/symbols.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"
#include "machine.h"

enum {
	LARGEST = 1 << 16,
	ROOM = 16,
	ADDRESSES = 256,
	STEP = 24,    /* from an address to the next */
	SECONDS = 10, /* of an input, at most */
};

static int file = -1;

static void put_file(const uint8_t *data, size_t size)
{
	static const char variable[] = "DEBUGINFOD_URLS";

	if (file < 0) {
		unsetenv(variable);
		file = memfd_create("file", MFD_CLOEXEC);
	}
	CHECK(file >= 0 && !ftruncate(file, 0));
	CHECK(pwrite(file, data, size, 0) == (ssize_t)size);
}

/* Returns the sum of the bytes, so that they are read. */
static size_t read_text(const char *text)
{
	size_t sum = 0;

	while (text && *text)
		sum += (uint8_t)*text++;
	return sum;
}

static size_t find(struct symbols *symbols, uint64_t address)
{
	struct symbol found[ROOM];
	size_t count = symbols_find(symbols, address, found, ROOM), sum = count;

	CHECK(count <= ROOM);
	for (size_t i = 0; i < count; i++)
		sum += read_text(found[i].function) + read_text(found[i].file) + found[i].line;
	CHECK(symbols_find(symbols, address, found, 0) == 0);
	CHECK(symbols_find(symbols, address, found, 1) == (count != 0));
	return sum;
}

/* What is found does not depend on what was looked up before. */
static void find_all(struct symbols *symbols)
{
	size_t sums[ADDRESSES];

	for (uint64_t i = 0; i < ADDRESSES; i++)
		sums[i] = find(symbols, STEP * i);
	find(symbols, UINT64_MAX);
	for (uint64_t i = ADDRESSES; i--;)
		CHECK(find(symbols, STEP * i) == sums[i]);
}

static void open_file(void)
{
	struct strbuf why = STRBUF_INIT;
	struct symbols_file named = {.before = UINT64_MAX};
	struct symbols *symbols;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	named.path = path;
	symbols = symbols_open(&named, &why);
	CHECK(!symbols == !!why.length);
	if (symbols)
		find_all(symbols);
	symbols_close(symbols);
	strbuf_free(&why);
}

void fuzz_symbols(const uint8_t *data, size_t size)
{
	struct timespec begin, end;
	struct strbuf why = STRBUF_INIT;
	bool usable;

	machine_end();
	usable = !symbols_check(&why);
	strbuf_free(&why);
	if (size > LARGEST || !usable)
		return;
	put_file(data, size);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	open_file();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	CHECK(end.tv_sec - begin.tv_sec <= SECONDS);
	machine_begin();
}
